import type { ExpectedRecord, SeenResource } from '../../model/expectation.ts'
import { itemsOf } from '../../model/page.ts'
import type { CompiledRule } from '../../route/expectation/compiled-rule.ts'
import type { RecordWrite } from '../../store/ports/commit-port.ts'
import type { ExpectedKey } from '../../store/ports/expectation-port.ts'
import type { PollStore } from '../../store/ports/store.ts'
import { expectedPages } from './expected-pages.ts'
import { keyOf, shipmentsOf } from './expectation-views.ts'

type Source = Pick<PollStore, 'exceptionPage' | 'expectedRecords'>

/**
 * Rules whose instant a change only puts off, as `after(last_change("tracking"), "7d")`: such a change is looked at when the instant has
 * come that was known before, unless what it would end is missed, or the rule could not be judged. These records are remembered here,
 * and perhaps others for a while; before they are loaded a change may end anything.
 */
export class DeferredRules {
  readonly #rules: readonly CompiledRule[]
  readonly #names: ReadonlySet<string>
  readonly #ending = new Set<string>()
  #isLoaded = false

  constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules.filter(({ defers }) => defers !== null)
    this.#names = new Set(this.#rules.map(({ rule }) => rule.name))
  }

  /** Whether a change of a resource puts an instant off. */
  has(resource: SeenResource): boolean {
    return this.#rules.some(({ defers }) => defers === resource)
  }

  /** Whether a change that puts instants off may end something at once. */
  mayEnd({ state }: RecordWrite): boolean {
    if (!this.#isLoaded) return true
    if (this.#ending.size === 0) return false
    const { id, resource } = state
    return this.#rules.some(({ defers, rule }) => {
      if (defers !== resource) return false
      if (rule.about === resource) return this.#isEnding({ resource: rule.about, id })
      // The orders and invoices of a shipment are not known without a look.
      if (rule.about !== 'shipment') return true
      return shipmentsOf(state, state).some((shipment) => this.#isEnding({ resource: 'shipment', id: shipment }))
    })
  }

  /** Notes what the store says of records now, within their commit. */
  noteStored(records: readonly ExpectedRecord[]): void {
    for (const record of records) if (!this.#endsBy(record)) this.#ending.delete(keyOf(record))
  }

  /** Notes what is about to be committed of a record. */
  noteJudged(record: ExpectedRecord): void {
    if (this.#endsBy(record)) this.#ending.add(keyOf(record))
  }

  /** Loads what stands of an account: what is missed, and what cannot be judged. Loaded once. */
  async load(store: Source, account: string, now: number): Promise<void> {
    if (this.#isLoaded || this.#rules.length === 0) return
    const asked = { account, type: 'expectation.missed', states: ['open', 'acknowledged'], now } as const
    for await (const { expectation, resource, subjectId } of itemsOf((query) =>
      store.exceptionPage({ ...asked, ...query }),
    )) {
      if (this.#names.has(expectation)) this.#ending.add(keyOf({ resource, id: subjectId }))
    }
    for await (const records of expectedPages(store, account, 'failing'))
      for (const record of records) this.noteJudged(record)
    this.#isLoaded = true
  }

  #isEnding(key: ExpectedKey): boolean {
    return this.#ending.has(keyOf(key))
  }

  #endsBy({ failures, states }: ExpectedRecord): boolean {
    for (const name of this.#names) if (states[name]?.state === 'missed' || Object.hasOwn(failures, name)) return true
    return false
  }
}
