/**
 * What samples of a list came to: records that were fetched by id and compared with what their list shows. Instants are milliseconds since
 * the Unix epoch.
 */
export interface ListAudit {
  /** The days (UTC) of the last samples, oldest first: at most a week of them. */
  readonly days: readonly AuditDay[]
  /** How many samples were compared, since ever. */
  readonly sampled: number
  /** How many of the samples showed that the list is stale, since ever. */
  readonly differed: number
  /** How the list is stale, once that rang; null: it is not. */
  readonly episode: StaleEpisode | null
  /** The last episode that is over; null: there was none. */
  readonly last: { readonly endedAt: number; readonly calmAfter: number } | null
}

export interface AuditDay {
  /** Days since the Unix epoch. */
  readonly day: number
  readonly sampled: number
  readonly differed: number
}

/** A list that shows old rows while fetches by id show newer ones. */
export interface StaleEpisode {
  readonly since: number
  /** Samples in a row, the last ones, that agreed. */
  readonly agreed: number
  /** How many samples in a row have to agree before the list is well again. */
  readonly calmAfter: number
  /** Records that were found stale and not well again since: the first of them. */
  readonly records: readonly StaleRecord[]
}

export interface StaleRecord {
  readonly id: string
  /** What of the record was old: pointers with `*` for elements. */
  readonly fields: readonly string[]
}

/** Samples of the last days, and how many of them differed. */
export interface AuditSum {
  readonly sampled: number
  readonly differed: number
}

export const DAY_MS = 86_400_000
/** How many days of samples are summed up, today among them. */
const SUMMED_DAYS = 7

/** Whether a day of samples counts at an instant. */
export function isSummed({ day }: AuditDay, now: number): boolean {
  return day > Math.floor(now / DAY_MS) - SUMMED_DAYS
}

/** The samples of the last week. */
export function auditSum(audit: ListAudit | null, now: number): AuditSum {
  const days = (audit?.days ?? []).filter((each) => isSummed(each, now))
  return {
    sampled: days.reduce((sum, { sampled }) => sum + sampled, 0),
    differed: days.reduce((sum, { differed }) => sum + differed, 0),
  }
}

/** What the share of rows that differ exceeds only once in twenty times: the bound is one-sided. */
const DOUBT = 0.05

/**
 * The share of rows of which at most that many differ, with 95 % confidence: the exact one-sided bound of Clopper and Pearson. Where none
 * of `n` differed it is about `3 / n`. null: nothing was sampled.
 */
export function mostDiffering({ differed, sampled }: AuditSum): number | null {
  if (sampled === 0) return null
  if (differed >= sampled) return 1
  let [low, high] = [differed / sampled, 1]
  // The chance of so few falls as the share grows: halving finds where it is the doubt.
  for (let step = 0; step < 50; step += 1) {
    const share = (low + high) / 2
    if (chanceOfAtMost(differed, { of: sampled, share }) > DOUBT) low = share
    else high = share
  }
  return (low + high) / 2
}

/** The chance that of so many samples at most `most` differ, where a share of all rows does. */
function chanceOfAtMost(most: number, { of, share }: { readonly of: number; readonly share: number }): number {
  let log = of * Math.log1p(-share)
  let sum = Math.exp(log)
  for (let nth = 1; nth <= most; nth += 1) {
    log += Math.log((of - nth + 1) / nth) + Math.log(share) - Math.log1p(-share)
    sum += Math.exp(log)
  }
  return sum
}
