import {
  holdAfter,
  judge,
  recognisedFrom,
  type CompletePass,
  type Fetch,
  type Held,
  type HoldReason,
} from './expected-removal.ts'

interface Pass {
  /** Records known when it began (of a round: when it ended), with the complete passes in a row that had missed them. */
  readonly known: ReadonlyMap<string, number>
  readonly met: Set<string>
  /** Met as a record that can be understood. */
  readonly shown: Set<string>
  readonly counted: Set<string>
  readonly fetches: Fetch[]
  readonly hold: Held | null
  readonly fetchWorked: boolean
  readonly recognisedFrom: number
  rows: number
  /** Shown more than once. */
  readonly twice: Set<string>
  wrote: 'nothing' | 'held' | 'over'
  isOver: boolean
  readonly isBaselined: boolean
  /** Of a round over items: what the last answer that was applied to each said. */
  readonly items: Map<string, 'shown' | 'absent'>
  /** Of a round: it was judged. */
  readonly isJudged: boolean
}

export interface HoldWrite {
  readonly violations: readonly string[]
  /** What rings. */
  readonly rings: string | null
}

/** The passes over the lists: what each showed, what was missed, and which removals are held. */
export class PassLedger {
  readonly #passes = new Map<string, Pass>()
  readonly #holds = new Map<string, Held>()
  /** Lists of which a fetch by id found a record, as far as that was written down. */
  readonly #fetchable = new Set<string>()

  start(resource: string, known: ReadonlyMap<string, number>, isBaselined: boolean): void {
    const hold = this.#holds.get(resource) ?? null
    const accepted = hold?.verdict === 'accept' && hold.reason === 'other_account'
    this.#passes.set(resource, {
      known,
      hold,
      fetchWorked: this.#fetchable.has(resource),
      recognisedFrom: isBaselined && !accepted ? recognisedFrom(known.size) : 0,
      met: new Set(),
      shown: new Set(),
      counted: new Set(),
      fetches: [],
      rows: 0,
      twice: new Set(),
      wrote: 'nothing',
      isOver: false,
      isBaselined,
      items: new Map(),
      isJudged: false,
    })
  }

  /** An item was read: what is there, or that there is nothing. */
  itemRead(resource: string, id: string, answer: 'shown' | 'absent'): void {
    this.#passes.get(resource)?.items.set(id, answer)
  }

  /** Of what is known of a round's items so far: what it did not find. */
  notFound(resource: string, known: Iterable<string>): readonly string[] {
    return [...known].filter((id) => this.#passes.get(resource)?.items.get(id) === 'absent')
  }

  /**
   * The end of a round over items is that of a complete pass: a 404 is a miss, and the fetch that proves it. There is no list
   * that could be empty, and whatever is found was configured, so that it is this account's.
   */
  judgeRound(resource: string, known: ReadonlyMap<string, number>): readonly string[] {
    const round = this.#passes.get(resource)
    if (round === undefined) return [`${resource}: judged without a round`]
    if (round.isJudged) return []
    const absent = new Set(this.notFound(resource, known.keys()))
    this.#passes.set(resource, {
      ...round,
      known,
      met: new Set([...known.keys()].filter((id) => !absent.has(id))),
      fetches: [...absent].map((id) => ({ id, answer: 'absent' })),
      hold: this.#holds.get(resource) ?? null,
      fetchWorked: true,
      rows: known.size,
      isJudged: true,
      isOver: false,
    })
    const unread = [...known.keys()].filter((id) => !round.items.has(id))
    const isHasty = absent.size > 0 && this.isAnyInDoubt(resource)
    return [
      ...unread.map((id) => `${resource} ${id}: judged by a round that did not read it`),
      ...(isHasty ? [`${resource}: judged while a list is in doubt`] : []),
    ]
  }

  /** Whether the present round, or the one before it, was judged to its end by a process that lives. */
  isRoundJudged(resource: string): boolean {
    const round = this.#passes.get(resource)
    return round?.isJudged === true && !round.isOver
  }

  page(resource: string, rows: number): void {
    const pass = this.#passes.get(resource)
    if (pass !== undefined) pass.rows += rows
  }

  met(resource: string, id: string): void {
    this.#passes.get(resource)?.met.add(id)
  }

  shown(resource: string, id: string): void {
    const pass = this.#passes.get(resource)
    if (pass === undefined) return
    if (pass.shown.has(id)) pass.twice.add(id)
    pass.shown.add(id)
    pass.met.add(id)
  }

  /** Whether the pass met a row twice. */
  hasMoved(resource: string): boolean {
    return (this.#passes.get(resource)?.twice.size ?? 0) > 0
  }

  /** Whether the pass met this row twice. */
  hasShownTwice(resource: string, id: string): boolean {
    return this.#passes.get(resource)?.twice.has(id) === true
  }

  isRunning(resource: string): boolean {
    return this.#passes.get(resource)?.isOver === false
  }

  fetched(resource: string, fetch: Fetch): void {
    const pass = this.#passes.get(resource)
    if (pass?.isOver === false) pass.fetches.push(fetch)
  }

  /** It was written down that a record exists. */
  fetchFound(resource: string, id: string): void {
    const found = this.#passes.get(resource)?.fetches.some((fetch) => fetch.id === id && fetch.answer === 'found')
    if (found === true) this.#fetchable.add(resource)
  }

  /** A miss was written down; why that is wrong. */
  missed(resource: string, id: string): string | null {
    const pass = this.#passes.get(resource)
    if (pass === undefined) return 'missed by no pass'
    pass.counted.add(id)
    if (pass.met.has(id)) return 'missed though the pass met it'
    return judge(facts(pass)).counts ? null : 'missed by a pass that is not to be believed'
  }

  /** Whether enough known records were met for the unknown ones to be this account's. */
  isRecognised(resource: string): boolean {
    const pass = this.#passes.get(resource)
    if (pass === undefined) return true
    return [...pass.known.keys()].filter((id) => pass.met.has(id)).length >= pass.recognisedFrom
  }

  metBy(resource: string): ReadonlySet<string> {
    return this.#passes.get(resource)?.met ?? new Set()
  }

  isGone(resource: string, id: string): boolean {
    const pass = this.#passes.get(resource)
    return pass !== undefined && judge(facts(pass)).gone.has(id)
  }

  /** The hold of a list was written, or its end. */
  wroteHold(resource: string, reason: HoldReason | null): HoldWrite {
    const pass = this.#passes.get(resource)
    if (pass === undefined) return { violations: [`${resource}: a hold without a pass`], rings: null }
    const { hold } = judge(facts(pass))
    pass.wrote = reason === null ? 'over' : 'held'
    const expected = typeof hold === 'string' ? hold : hold.reason
    const violations = expected === (reason ?? 'over') ? [] : [`${resource}: hold ${reason ?? 'over'}, not ${expected}`]
    if (typeof hold === 'string') {
      this.#holds.delete(resource)
      return { violations, rings: null }
    }
    const { held, rings } = holdAfter(this.#holds.get(resource) ?? null, hold)
    this.#holds.set(resource, held)
    return { violations, rings: rings ? `${hold.reason} ${hold.missing} of ${pass.known.size}` : null }
  }

  /** An operator judged what is held; `obeyed`: the store took it. */
  judged(resource: string, verdict: 'accept' | 'reject', obeyed: boolean): readonly string[] {
    const held = this.#holds.get(resource)
    const isOpen = held !== undefined && held.verdict !== 'reject'
    if (isOpen) this.#holds.set(resource, { ...held, verdict, quiet: verdict === 'reject' ? 2 : 0 })
    return isOpen === obeyed ? [] : [`${resource}: ${verdict} was ${obeyed ? 'taken' : 'not taken'}`]
  }

  isHeld(resource: string): boolean {
    return this.#holds.has(resource)
  }

  /** Whether some list shows less than it may and nobody has judged that yet; `except`: what is no list. */
  isAnyInDoubt(except: string): boolean {
    return [...this.#holds].some(([resource, { verdict }]) => resource !== except && verdict === null)
  }

  /** Complaints about a complete pass; `isExcused`: requests went wrong, so that some were not sent. */
  end(
    resource: string,
    options: { readonly isRemoved: (id: string) => boolean; readonly isExcused: boolean },
  ): readonly string[] {
    const pass = this.#passes.get(resource)
    if (pass?.isBaselined !== true) return []
    const { counts, gone, hold, unasked } = judge(facts(pass))
    const missing = [...pass.known.keys()].filter((id) => !pass.met.has(id))
    const uncounted = counts ? missing.filter((id) => !pass.counted.has(id)) : []
    const kept = [...gone].filter((id) => !options.isRemoved(id))
    const most = 2 * Math.max(5, pass.known.size / 50) + 1
    const lazy = unasked > 0 && !options.isExcused && pass.fetches.length < most
    const wanted = typeof hold === 'string' ? (hold === 'over' && pass.hold !== null ? 'over' : 'nothing') : 'held'
    return [
      ...uncounted.map((id) => `${resource} ${id}: a miss was not counted`),
      ...kept.map((id) => `${resource} ${id}: not removed`),
      ...(lazy ? [`${resource}: ${unasked} were not asked for`] : []),
      ...(wanted === pass.wrote ? [] : [`${resource}: of holds ${pass.wrote} was written, not ${wanted}`]),
    ]
  }

  /** The pass ended, or its process. */
  over(resource: string): void {
    const pass = this.#passes.get(resource)
    if (pass !== undefined) pass.isOver = true
  }
}

function facts(pass: Pass): CompletePass {
  const missing = new Map([...pass.known].filter(([id]) => !pass.met.has(id)))
  return { ...pass, known: pass.known.size, missing, moved: pass.twice.size > 0 }
}
