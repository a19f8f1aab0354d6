import type { Attempt } from '../../src/model/delivery.ts'
import type { EventDraft } from '../../src/model/event.ts'
import type { Exchange } from '../../src/model/exchange.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { Hold } from '../../src/model/hold.ts'
import type { RecordState } from '../../src/model/record-state.ts'
import type { Provenance } from '../../src/model/provenance.ts'
import type { BatchChange, ReadBatch, RecordWrite } from '../../src/store/ports/commit-port.ts'
import type { Store } from '../../src/store/ports/store.ts'

/** The instant at which the samples happen. */
export const T = Date.UTC(2026, 10, 21, 8)

export function sampleEvent(id: string, changes: Partial<EventDraft> = {}): EventDraft {
  return {
    id,
    type: 'shipment.status_changed',
    account: 'acme',
    subject: { resource: 'shipment', id: 'SHP-1', version: 1, previousEventId: null },
    timestamp: T,
    observed: { notBefore: T - 120_000, notAfter: T },
    cause: 'change',
    object: { status: 'booked' },
    before: { status: 'draft' },
    changes: [{ path: '/status', from: 'draft', to: 'booked' }],
    shipment: null,
    extras: { from: 'draft', to: 'booked', regression: false },
    ...changes,
  }
}

export function sampleState(id: string, changes: Partial<RecordState> = {}): RecordState {
  const record = { platform_shipment_id: id, status: 'booked' }
  return {
    resource: 'shipment',
    id,
    seen: record,
    reported: record,
    version: 0,
    lastEventId: null,
    atBaseline: true,
    firstSeenAt: T,
    closedAt: null,
    removedAt: null,
    lastRead: { sentAt: T - 100, answeredAt: T },
    nextEdgeAt: null,
    memory: {},
    ...changes,
  }
}

/** The second page of the third pass over the shipments. */
export function sampleProvenance(changes: Partial<Provenance> = {}): Provenance {
  return {
    by: 'page',
    resource: 'shipment',
    exchanges: [sampleExchange()],
    pass: { number: 3, startedAt: T - 1_000 },
    timeZone: 'Europe/Paris',
    ...changes,
  }
}

export function sampleExchange(changes: Partial<Exchange> = {}): Exchange {
  return {
    method: 'GET',
    path: '/v1/shipments?skip=100&take=100',
    sentAt: T - 132,
    answeredAt: T,
    status: 200,
    bytes: 41_000,
    ...changes,
  }
}

export function sampleHold(changes: Partial<Hold> = {}): Hold {
  return {
    reason: 'too_many',
    since: T,
    known: 20,
    missing: 10,
    sample: ['A'],
    verdict: null,
    quietPasses: 0,
    ...changes,
  }
}

interface WriteChanges extends Partial<Omit<RecordWrite, 'before'>> {
  /** The version that the record is at; left out: the record is new. */
  readonly expectedVersion?: number | null
  /** What the record showed, where it was loaded. */
  readonly seenBefore?: JsonObject | null
}

export function write(state: RecordState, changes: WriteChanges = {}): RecordWrite {
  const { expectedVersion = null, seenBefore = null, ...own } = changes
  const before =
    expectedVersion === null
      ? null
      : { version: expectedVersion, seen: seenBefore, reported: seenBefore, removedAt: null, memory: {} }
  return { state, contentHash: `hash of ${state.id}`, before, ...own }
}

type Named<K extends BatchChange['kind']> = Omit<Extract<BatchChange, { readonly kind: K }>, 'kind'>

/** The changes of a batch by their kinds. */
interface NamedChanges {
  readonly page?: Named<'page'>['page']
  readonly list?: Named<'list'>
  readonly unchanged?: Named<'unchanged'>
  readonly met?: Named<'met'>
  readonly missed?: Named<'missed'>
  readonly hold?: Named<'hold'>
  readonly unproved?: Named<'unproved'>
  readonly quarantine?: Named<'quarantine'>
  readonly learnt?: Named<'learnt'>['learnt']
  readonly churning?: Named<'churning'>
  readonly audit?: Named<'audit'>
  readonly lyingValidators?: Named<'lying_validators'>['resource']
  readonly requests?: Named<'requests'>['count']
  readonly pause?: Named<'pause'>['pause']
  readonly ceiling?: Named<'ceiling'>['ceiling']
}

export function batch(parts: Partial<Omit<ReadBatch, 'changes'>> & NamedChanges = {}): ReadBatch {
  const {
    page,
    list,
    unchanged,
    met,
    missed,
    hold,
    unproved,
    quarantine,
    learnt,
    churning,
    audit,
    lyingValidators,
    ...rest
  } = parts
  const { requests, pause, ceiling, ...own } = rest
  const changes: readonly (BatchChange | false)[] = [
    page !== undefined && { kind: 'page', page },
    unchanged !== undefined && { kind: 'unchanged', ...unchanged },
    met !== undefined && { kind: 'met', ...met },
    missed !== undefined && { kind: 'missed', ...missed },
    requests !== undefined && { kind: 'requests', count: requests },
    pause !== undefined && { kind: 'pause', pause },
    ceiling !== undefined && { kind: 'ceiling', ceiling },
    list !== undefined && { kind: 'list', ...list },
    learnt !== undefined && { kind: 'learnt', learnt },
    churning !== undefined && { kind: 'churning', ...churning },
    audit !== undefined && { kind: 'audit', ...audit },
    lyingValidators !== undefined && { kind: 'lying_validators', resource: lyingValidators },
    quarantine !== undefined && { kind: 'quarantine', ...quarantine },
    hold !== undefined && { kind: 'hold', ...hold },
    unproved !== undefined && { kind: 'unproved', ...unproved },
  ]
  const named = changes.filter((change) => change !== false)
  return { account: 'acme', records: [], events: [], deliveries: [], dates: [], ...own, changes: named }
}

/** Commits events in the order given, each with a delivery to every one of `subscriptions`. */
export async function ring(
  store: Pick<Store, 'commit'>,
  events: readonly EventDraft[],
  subscriptions: readonly string[],
): Promise<void> {
  const deliveries = events.flatMap(({ id }) => subscriptions.map((subscription) => ({ eventId: id, subscription })))
  await store.commit(batch({ events, deliveries }))
}

export function attempt(changes: Partial<Attempt> = {}): Attempt {
  return { at: T + 1_000, durationMs: 20, status: 500, error: 'The receiver answered 500.', answer: 'oops', ...changes }
}

export function success(changes: Partial<Attempt> = {}): Attempt {
  return attempt({ status: 200, error: null, answer: 'ok', ...changes })
}
