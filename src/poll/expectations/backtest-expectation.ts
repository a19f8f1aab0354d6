import { replayExpectation } from '../../detect/expectation/replay-expectation.ts'
import type { ExpectedSubject, WouldRing } from '../../model/expectation.ts'
import type { LoggedEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { itemsOf } from '../../model/page.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { RecordResource } from '../../model/resource.ts'
import { joiner, shipmentsOf } from './expectation-views.ts'
import type { CompiledRule } from '../../route/expectation/compiled-rule.ts'
import type { RelatedRecord } from '../../store/ports/expectation-port.ts'
import type { Store } from '../../store/ports/store.ts'

interface Backtest {
  readonly account: { readonly name: string; readonly timeZone: string }
  readonly rule: CompiledRule
  readonly since: number
  readonly now: number
}

type Source = Pick<Store, 'eventPage' | 'recordPage' | 'records' | 'related'>

/**
 * What a rule would have rung since an instant, had it been in force: by the records that are stored and by what the log says that they
 * were. What is no longer in the log, and what belonged to another record then, is taken as it is now.
 */
export async function* backtestExpectation(store: Source, test: Backtest): AsyncGenerator<WouldRing> {
  const { account, rule } = test
  const resource = rule.rule.about
  const records = itemsOf(async (page) => await store.recordPage({ ...page, account: account.name, resource }))
  for await (const { id } of records) yield* ofRecord(store, test, { resource, id })
}

interface Named {
  readonly resource: RecordResource
  readonly id: string
}

async function* ofRecord(
  store: Source,
  { account, now, rule, since }: Backtest,
  key: { readonly resource: ExpectedSubject; readonly id: string },
): AsyncGenerator<WouldRing> {
  const histories = new Map<string, History>()
  const load = async ({ id, resource }: Named): Promise<RecordState | null> => {
    const name = `${resource} ${id}`
    const known = histories.get(name)
    if (known !== undefined) return known.state
    const state = (await store.records(account.name, resource, [id])).get(id)
    if (state === undefined) return null
    histories.set(name, new History(state, await eventsOf(store, { account: account.name, resource, id }, since)))
    return state
  }
  const own = await load(key)
  const asked = { records: key.resource === 'shipment' ? [] : [key], shipments: shipmentsOf(key, own) }
  const related = await store.related(account.name, asked)
  for (const each of related) if (key.resource === 'shipment' || each.resource === 'shipment') await load(each)
  const historyOf = ({ id, resource }: { readonly resource: string; readonly id: string }) =>
    histories.get(`${resource} ${id}`)
  const changes = [...new Set([...histories.values()].flatMap(({ instants }) => instants))].sort((a, b) => a - b)
  const turns = replayExpectation({
    from: since,
    until: now,
    changes,
    verdictAt: (at) => {
      const then = related.map((each): RelatedRecord => ({
        ...each,
        changedAt: historyOf(each)?.changedAt(at, each) ?? null,
      }))
      const joined = joiner({ of: (each) => historyOf(each)?.at(at) ?? null }, then, account.timeZone)(key)
      if (joined === null || joined.state.removedAt !== null) return null
      const verdict = rule.judge(joined.view)
      return verdict.kind === 'failed' ? 'failed' : verdict
    },
  })
  for (const { at, turn } of turns)
    if (!turn.isSilent) yield { account: account.name, type: `expectation.${turn.kind}`, subject: key, by: turn.by, at }
}

async function eventsOf(
  store: Source,
  { account, id, resource }: Named & { readonly account: string },
  since: number,
): Promise<readonly LoggedEvent[]> {
  const query = { account, resource, subjectId: id, since, oldestFirst: true }
  const events: LoggedEvent[] = []
  for await (const event of itemsOf(async (page) => await store.eventPage({ ...query, ...page })))
    if (event.observed !== null && event.object !== null) events.push(event)
  return events
}

/** What a record was, as far as the log says it. */
class History {
  readonly state: RecordState
  readonly #events: readonly LoggedEvent[]

  constructor(state: RecordState, events: readonly LoggedEvent[]) {
    this.state = state
    this.#events = events
  }

  /** When the record changed. */
  get instants(): readonly number[] {
    return this.#events.map(({ timestamp }) => timestamp)
  }

  at(at: number): RecordState | null {
    const [first] = this.#events
    if (first === undefined) return this.state
    const last = this.#events.findLast(({ timestamp }) => timestamp <= at)
    if (last === undefined) return isCreation(first) ? null : this.#as(first.before ?? first.object, isReturn(first))
    return this.#as(last.object, last.type.endsWith('.removed'))
  }

  changedAt(at: number, { changedAt }: RelatedRecord): number | null {
    const last = this.#events.findLast(({ timestamp }) => timestamp <= at)
    if (last !== undefined) return last.timestamp
    return changedAt !== null && changedAt <= at ? changedAt : this.state.firstSeenAt
  }

  #as(reported: JsonObject | null, isGone: boolean): RecordState {
    return { ...this.state, reported, removedAt: isGone ? this.state.firstSeenAt : null }
  }
}

/** Whether an event says that its record was new. */
function isCreation({ type }: LoggedEvent): boolean {
  return type.endsWith('.created') || type === 'document.added'
}

function isReturn({ type }: LoggedEvent): boolean {
  return type.endsWith('.restored')
}
