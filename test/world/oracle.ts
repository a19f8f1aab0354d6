import type { ReadBatch } from '../../src/store/ports.ts'
import type { AnyFacts, Resource } from './facts.ts'
import { created, differences, kindOf } from './expected.ts'

export interface Shown {
  readonly resource: Resource
  readonly id: string
  readonly facts: AnyFacts
  readonly answeredAt: number
}

interface Known {
  facts: AnyFacts
  removed: boolean
  /** Complete passes in a row that missed it. */
  misses: number
  /** Whether a pass since the baseline, or the baseline itself, met it: others are known to nobody outside. */
  told: boolean
  /** Learnt silently, before its list had a baseline. */
  readonly atBaseline: boolean
  readonly dueRang: Set<string>
}

/** What one pass over a list showed. */
interface Pass {
  readonly met: Set<string>
  readonly counted: Set<string>
  /** A fetch by id answered 404, or found it. */
  readonly absent: Set<string>
  readonly present: Set<string>
}

/**
 * What was observable: it hears every answer given and every commit that lasted, and says which events must have rung by
 * then. It knows the facts behind the answers and the contract, and nothing of how changes are detected.
 */
export class Oracle {
  readonly #known = new Map<string, Known>()
  /** Rows that were shown and not yet committed, by record. */
  readonly #pending = new Map<string, Shown[]>()
  readonly #passes = new Map<string, Pass>()
  readonly #baselined = new Set<string>()
  #silentTracking: ReadonlySet<string> | null = null
  #expected: string[] = []
  #violations: string[] = []
  #faulted = false

  // ── what the platform says ──────────────────────────────────────────────────────────────────────────────────────────

  shown(row: Shown): void {
    const key = keyOf(row.resource, row.id)
    this.#pending.set(key, [...(this.#pending.get(key) ?? []), row])
    this.met(row.resource, row.id)
  }

  met(resource: string, id: string): void {
    this.#passes.get(resource)?.met.add(id)
  }

  absent(resource: string, id: string): void {
    this.#passes.get(resource)?.absent.add(id)
  }

  present(resource: string, id: string): void {
    this.#passes.get(resource)?.present.add(id)
  }

  faulted(): void {
    this.#faulted = true
  }

  // ── what the process does ───────────────────────────────────────────────────────────────────────────────────────────

  passStarted(resource: string): void {
    this.#passes.set(resource, { met: new Set(), counted: new Set(), absent: new Set(), present: new Set() })
    if (resource === 'tracking') this.#silentTracking ??= this.#ids('shipment')
  }

  committed(batch: ReadBatch): void {
    for (const { state, read } of batch.records) {
      if (read === 'none' || !isWatched(state.resource)) continue
      const known = this.#known.get(keyOf(state.resource, state.id))
      if (state.removedAt !== null && known?.removed === false) this.#remove(state.resource, state.id)
      else this.#apply(state.resource, state.id, state.lastRead.answeredAt)
    }
    for (const id of batch.unchanged?.ids ?? []) {
      if (isWatched(batch.unchanged?.resource))
        this.#apply(batch.unchanged.resource, id, batch.unchanged.read.answeredAt)
    }
    for (const id of batch.met?.ids ?? []) this.#reset(keyOf(batch.met?.resource, id))
    for (const id of batch.missed?.ids ?? []) this.#miss(batch.missed?.resource ?? '', id)
    if (batch.list !== undefined && batch.list.state.baselinedAt !== null) this.#baseline(batch.list.resource)
  }

  /** What was answered and not committed is lost with the process. */
  killed(): void {
    this.#pending.clear()
  }

  /** `complete`: the pass read the list to its end. */
  passEnded(resource: Resource, complete: boolean, wasBaselined: boolean): void {
    for (const [key, [row]] of this.#pending) {
      if (row?.resource !== resource) continue
      this.#pending.delete(key)
      if (!this.#mayBeDropped(row, complete)) this.#violations.push(`${key}: an answer was never applied`)
    }
    if (complete && wasBaselined && resource !== 'tracking') this.#judgeMissing(resource)
  }

  roundEnded(): void {
    this.#faulted = false
  }

  isBaselined(resource: string): boolean {
    return this.#baselined.has(resource)
  }

  isRemoved(resource: string, id: string): boolean {
    return this.#known.get(keyOf(resource, id))?.removed === true
  }

  /** Since the last time. */
  take(): { readonly expected: readonly string[]; readonly violations: readonly string[] } {
    const taken = { expected: this.#expected, violations: this.#violations }
    this.#expected = []
    this.#violations = []
    return taken
  }

  // ── the rules ───────────────────────────────────────────────────────────────────────────────────────────────────────

  #apply(resource: Resource, id: string, answeredAt: number): void {
    const key = keyOf(resource, id)
    const rows = this.#pending.get(key) ?? []
    const row = rows.find((each) => each.answeredAt === answeredAt)
    if (row === undefined) return void this.#violations.push(`${key}: what no answer showed was applied`)
    const rest = rows.filter((each) => each !== row)
    if (rest.length === 0) this.#pending.delete(key)
    else this.#pending.set(key, rest)
    this.#learn(key, row)
  }

  #learn(key: string, { resource, id, facts }: Shown): void {
    const known = this.#known.get(key)
    const told = this.#baselined.has(resource)
    if (known === undefined) {
      this.#known.set(key, { facts, removed: false, misses: 0, told, atBaseline: !told, dueRang: new Set() })
      if (resource === 'tracking' ? !this.#isSilent(id) : told) this.#expect(key, created(facts))
      return
    }
    if (known.removed) this.#expect(key, told ? returned(facts, known.told) : [])
    else if (told || resource === 'tracking') this.#expect(key, differences(known.facts, facts, known.dueRang))
    known.facts = facts
    known.removed = false
    known.misses = 0
    known.told ||= told
  }

  /** The first read of an item known at its list's baseline, or when its tracking began to be read. */
  #isSilent(id: string): boolean {
    return this.#known.get(keyOf('shipment', id))?.atBaseline === true || this.#silentTracking?.has(id) === true
  }

  #baseline(resource: string): void {
    if (this.#baselined.has(resource)) return
    this.#baselined.add(resource)
    for (const id of this.#passes.get(resource)?.met ?? []) {
      const known = this.#known.get(keyOf(resource, id))
      if (known !== undefined) known.told = true
    }
  }

  #miss(resource: string, id: string): void {
    const pass = this.#passes.get(resource)
    const known = this.#known.get(keyOf(resource, id))
    if (known === undefined || known.removed) this.#violations.push(`${keyOf(resource, id)}: missed though unknown`)
    else known.misses += 1
    if (pass?.met.has(id) === true) this.#violations.push(`${keyOf(resource, id)}: missed though the pass met it`)
    pass?.counted.add(id)
  }

  #reset(key: string): void {
    const known = this.#known.get(key)
    if (known !== undefined) known.misses = 0
  }

  #remove(resource: Resource, id: string): void {
    const key = keyOf(resource, id)
    const known = this.#known.get(key)
    if (known === undefined) return
    const proved = this.#passes.get(resource)?.absent.has(id) === true && known.misses >= 2
    if (!proved) this.#violations.push(`${key}: removed after ${known.misses} misses without proof`)
    known.removed = true
    known.misses = 0
    if (known.told) this.#expect(key, [`${kindOf(known.facts)}.removed`])
  }

  /** A row of an unknown record may wait for the pass to be recognised; a removed shipment's tracking is not read. */
  #mayBeDropped({ resource, id }: Shown, complete: boolean): boolean {
    if (resource === 'tracking') return this.isRemoved('shipment', id)
    const known = this.#known.get(keyOf(resource, id))
    return !complete && (known === undefined || known.removed)
  }

  #judgeMissing(resource: Resource): void {
    const pass = this.#passes.get(resource)
    for (const id of this.#ids(resource)) {
      const known = this.#known.get(keyOf(resource, id))
      if (pass === undefined || known === undefined || known.removed || pass.met.has(id)) continue
      if (!pass.counted.has(id)) this.#violations.push(`${keyOf(resource, id)}: a miss was not counted`)
      if (known.misses >= 2 && !this.#faulted && !pass.present.has(id)) {
        this.#violations.push(`${keyOf(resource, id)}: not removed after ${known.misses} misses`)
      }
    }
  }

  #expect(key: string, events: readonly string[]): void {
    for (const event of events) this.#expected.push(`${key}: ${event}`)
  }

  #ids(resource: string): ReadonlySet<string> {
    const prefix = `${resource} `
    return new Set(
      [...this.#known.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)),
    )
  }
}

function keyOf(resource: string | undefined, id: string): string {
  return `${resource} ${id}`
}

function isWatched(resource: string | undefined): resource is Resource {
  return resource !== undefined && resource !== 'account' && resource !== 'subscription'
}

/** Back; or new, where it went as silently as it came in an interrupted baseline. */
function returned(facts: AnyFacts, told: boolean): readonly string[] {
  return told ? [`${kindOf(facts)}.restored`] : created(facts)
}
