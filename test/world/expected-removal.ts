export type HoldReason = 'empty' | 'too_many' | 'other_account'

/** Removals of a list that are not believed. */
export interface Held {
  readonly reason: HoldReason
  readonly missing: number
  readonly verdict: 'accept' | 'reject' | null
  /** After a rejection: passes that may still be so without ringing. */
  readonly quiet: number
}

export interface Fetch {
  readonly id: string
  readonly answer: 'found' | 'absent' | 'failed'
}

/** A pass that read its list to the end. */
export interface CompletePass {
  /** Records known when it began, and those of them that it did not meet with the complete passes that missed them before. */
  readonly known: number
  readonly missing: ReadonlyMap<string, number>
  readonly rows: number
  /** Rows came twice: others may have gone by unseen. */
  readonly moved: boolean
  /** Whether a fetch by id ever found a record of this list. */
  readonly fetchWorked: boolean
  /** What was held when it began. */
  readonly hold: Held | null
  /** After its last page. */
  readonly fetches: readonly Fetch[]
}

export interface Judgement {
  /** Whether what it missed counts as missed. */
  readonly counts: boolean
  readonly gone: ReadonlySet<string>
  readonly hold: 'over' | 'stands' | { readonly reason: HoldReason; readonly missing: number }
  /** Records that a fetch by id has to decide about and that nobody asked for: none, but where fetches fail. */
  readonly unasked: number
}

const NOTHING: Judgement = { counts: true, gone: new Set(), hold: 'over', unasked: 0 }

/** What has to come of a complete pass (guarantee D6). */
export function judge(pass: CompletePass): Judgement {
  const { fetches, fetchWorked, hold, known, missing } = pass
  const suspicion = suspicionOf(pass)
  if (suspicion !== null && !isAccepted(hold, suspicion, { missing: missing.size, known })) {
    return { ...NOTHING, counts: false, hold: { reason: suspicion, missing: missing.size } }
  }
  const doubted = [...missing].filter(([, before]) => suspicion !== null || before + 1 >= 2).map(([id]) => id)
  const accepted = suspicion !== null || isAccepted(hold, 'too_many', { missing: doubted.length, known })
  const most = accepted ? Number.POSITIVE_INFINITY : mostBelieved(known)
  if (doubted.length === 0) {
    const stands = hold?.verdict === null && missing.size > mostBelieved(known)
    return { ...NOTHING, hold: stands ? 'stands' : 'over' }
  }
  if (hold !== null && doubted.length > most) return tooMany(doubted.length)
  const [probe] = fetches
  if (fetchWorked) return proved(doubted, fetches, { accepted, most })
  if (probe?.answer === 'found') return proved(doubted, fetches.slice(1), { accepted, most })
  const isTrouble = probe?.answer !== 'absent'
  const unasked = probe === undefined ? doubted.length : 0
  if (accepted) return isTrouble ? { ...NOTHING, hold: 'stands', unasked } : { ...NOTHING, gone: new Set(doubted) }
  const enough = pass.moved ? 6 : 3
  const gone = doubted.filter((id) => (missing.get(id) ?? 0) + 1 >= enough)
  return { ...(gone.length > most ? tooMany(gone.length) : { ...NOTHING, gone: new Set(gone) }), unasked }
}

/** Fetches by id say what is gone, and nothing goes while those that none has decided could make it too many. */
function proved(
  doubted: readonly string[],
  fetches: readonly Fetch[],
  { accepted, most }: { readonly accepted: boolean; readonly most: number },
): Judgement {
  const answers = new Map(fetches.map(({ id, answer }) => [id, answer]))
  const gone = doubted.filter((id) => answers.get(id) === 'absent')
  const open = doubted.filter((id) => answers.get(id) !== 'absent' && answers.get(id) !== 'found')
  if (gone.length > most) return tooMany(doubted.length)
  const unasked = open.filter((id) => !answers.has(id)).length
  if (gone.length + open.length > most) return { ...NOTHING, hold: 'stands', unasked }
  return { ...NOTHING, gone: new Set(gone), hold: accepted && open.length > 0 ? 'stands' : 'over', unasked }
}

/** What a pass that is not believed makes of the hold before it; `rings`: somebody is told. */
export function holdAfter(
  before: Held | null,
  now: { readonly reason: HoldReason; readonly missing: number },
): { readonly held: Held; readonly rings: boolean } {
  if (before?.verdict === null) return { held: { ...before, ...now }, rings: false }
  if (before?.verdict === 'reject' && before.quiet > 1) {
    return { held: { ...before, ...now, quiet: before.quiet - 1 }, rings: false }
  }
  return { held: { ...now, verdict: null, quiet: 0 }, rings: true }
}

/** More than this many at once are not believed. */
function mostBelieved(known: number): number {
  return Math.max(5, known / 50)
}

/** So many of the known records have to be met before unknown ones are taken for this account's. */
export function recognisedFrom(known: number): number {
  return known < 3 ? 0 : Math.ceil(known / 10)
}

function suspicionOf({ known, missing, rows }: CompletePass): HoldReason | null {
  if (known === 0) return null
  if (rows === 0) return 'empty'
  return known - missing.size < recognisedFrom(known) ? 'other_account' : null
}

/** Whether what an operator accepted covers this: the same, or less grave, and not many more. */
function isAccepted(
  hold: Held | null,
  reason: HoldReason,
  { missing, known }: { readonly missing: number; readonly known: number },
): boolean {
  if (hold?.verdict !== 'accept' || (reason !== hold.reason && reason !== 'too_many')) return false
  return missing <= hold.missing + mostBelieved(known)
}

function tooMany(missing: number): Judgement {
  return { ...NOTHING, hold: { reason: 'too_many', missing } }
}
