import {
  auditSum,
  DAY_MS,
  isSummed,
  type AuditDay,
  type ListAudit,
  type StaleEpisode,
  type StaleRecord,
} from '../model/list-audit.ts'

/**
 * What a sample came to.
 *
 * - `agrees`: the list shows what a fetch by id shows
 * - `stale`: the list was read again since the fetch, and still shows the old value, while another fetch still shows the new one
 * - `well`: no sample, but another look at a record that was found stale: it agrees again, or is gone
 */
export type AuditSample = { readonly id: string; readonly at: number } & (
  | { readonly kind: 'agrees' | 'well' }
  | { readonly kind: 'stale'; readonly fields: readonly string[] }
)

type StaleSample = Extract<AuditSample, { kind: 'stale' }>

/** What a second look says of a difference. `moved`: neither value stood still, so it says nothing. */
type SampleVerdict = 'agrees' | 'stale' | 'moved'

/**
 * What a difference means once its list was read again. `first` is what differed, as texts that are equal for the same two values; `again`
 * what differs between the list as it was read since and another fetch. A record that changed between the read of its list and the fetch
 * does not differ any more.
 */
export function verdictOf(first: readonly string[], again: readonly string[]): SampleVerdict {
  if (again.length === 0) return 'agrees'
  const before = new Set(first)
  return again.some((each) => before.has(each)) ? 'stale' : 'moved'
}

export interface AuditStep {
  readonly audit: ListAudit
  /** What rings; null: nothing does. */
  readonly rings: 'stale' | 'recovered' | null
}

const NEVER_SAMPLED: ListAudit = { days: [], sampled: 0, differed: 0, episode: null, last: null }

/** After how many samples in a row that agree a list is well again, for the first time. */
const CALM_AFTER = 20
const CALM_AFTER_MOST = 320
/** How long an episode that is over makes the next one end later. */
const SOON_MS = 7 * DAY_MS
/** How many records that were found stale are looked at again. */
const MOST_RECORDS = 10
/** How many fields of a record that was found stale are remembered. */
const MOST_FIELDS = 10

/**
 * What is known of a list after one more sample. One that is stale rings once. It is well again when each record that was found stale agrees
 * again, or is gone, and so many samples in a row agreed; where that was too few, and it is stale again within a week, twice as many.
 */
export function auditAfter(before: ListAudit | null, sample: AuditSample): AuditStep {
  const known = before ?? NEVER_SAMPLED
  if (sample.kind === 'stale') return staleAfter(counted(known, sample), sample)
  const audit = sample.kind === 'agrees' ? counted(known, sample) : known
  const { episode } = audit
  if (episode === null) return { audit, rings: null }
  const agreed = episode.agreed + (sample.kind === 'agrees' ? 1 : 0)
  const records = episode.records.filter(({ id }) => id !== sample.id)
  const { calmAfter } = episode
  if (records.length > 0 || agreed < calmAfter)
    return { audit: { ...audit, episode: { ...episode, agreed, records } }, rings: null }
  return { audit: { ...audit, episode: null, last: { endedAt: sample.at, calmAfter } }, rings: 'recovered' }
}

/** What is known of a list that is audited no more: nobody can tell that it is well again, so an episode ends in silence. null: none goes on. */
export function unaudited(audit: ListAudit | null, at: number): ListAudit | null {
  if (audit?.episode == null) return null
  return { ...audit, episode: null, last: { endedAt: at, calmAfter: audit.episode.calmAfter } }
}

function staleAfter(audit: ListAudit, sample: StaleSample): AuditStep {
  const { episode } = audit
  if (episode === null) return { audit: { ...audit, episode: beginning(audit, sample) }, rings: 'stale' }
  const isKnown = episode.records.some(({ id }) => id === sample.id)
  const records = isKnown ? episode.records : [...episode.records, staleRecord(sample)].slice(0, MOST_RECORDS)
  return { audit: { ...audit, episode: { ...episode, agreed: 0, records } }, rings: null }
}

function staleRecord({ fields, id }: StaleSample): StaleRecord {
  return { id, fields: fields.slice(0, MOST_FIELDS) }
}

function beginning({ last }: ListAudit, sample: StaleSample): StaleEpisode {
  const { at } = sample
  const isSoon = last !== null && at - last.endedAt < SOON_MS
  const calmAfter = isSoon ? Math.min(2 * last.calmAfter, CALM_AFTER_MOST) : CALM_AFTER
  return { since: at, agreed: 0, calmAfter, records: [staleRecord(sample)] }
}

function counted(audit: ListAudit, { at, kind }: AuditSample): ListAudit {
  const differed = kind === 'stale' ? 1 : 0
  return {
    ...audit,
    sampled: audit.sampled + 1,
    differed: audit.differed + differed,
    days: withSample(audit.days, { day: Math.floor(at / DAY_MS), sampled: 1, differed }, at),
  }
}

/** Days that are over long ago go, and those that lie ahead, as a clock that was set back leaves them. */
function withSample(days: readonly AuditDay[], added: AuditDay, now: number): readonly AuditDay[] {
  const others = days.filter((each) => each.day < added.day && isSummed(each, now))
  const today = days.find(({ day }) => day === added.day) ?? { day: added.day, sampled: 0, differed: 0 }
  const { differed, sampled } = added
  return [...others, { ...today, sampled: today.sampled + sampled, differed: today.differed + differed }]
}

/** What a list that is stale rings with. */
export function staleExtras(audit: ListAudit, now: number) {
  return { ...auditSum(audit, now), sample: (audit.episode?.records ?? []).map(({ id }) => id) }
}
