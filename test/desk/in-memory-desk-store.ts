import { isOfCarrier } from '../../src/model/carrier.ts'
import type { KnownArrival } from '../../src/ledger/arrival-changes.ts'
import type { Reliability } from '../../src/model/reliability.ts'
import type { PastArrivalsQuery, ReliabilityQuery } from '../../src/store/ports/arrival-port.ts'
import type { SnapshotStanding } from '../../src/model/snapshot-run.ts'
import { exceptionState, type KeptException } from '../../src/model/exception.ts'
import { newRecordState, type RecordState } from '../../src/model/record-state.ts'
import type { SubjectResource } from '../../src/model/resource.ts'
import type { Attempt, Delivery } from '../../src/model/delivery.ts'
import type { LoggedEvent } from '../../src/model/event.ts'
import type { EventStory } from '../../src/model/event-rule.ts'
import type { HeldList } from '../../src/model/hold.ts'
import type { Page, PageQuery } from '../../src/model/page.ts'
import type { DeskStore } from '../../src/serve/admin-context.ts'
import { ShipbellError } from '../../src/errors.ts'
import type { LogPage, LogQuery } from '../../src/store/ports/log-port.ts'
import type {
  DeliveryQuery,
  EventHour,
  EventQuery,
  FailureFilter,
  FailureGroup,
  LogEnds,
  QuarantinedRecord,
  RetryableCount,
  RetryableCountQuery,
  RetryableQuery,
  RetryableSlice,
} from '../../src/store/ports/log-query-port.ts'
import type { ExceptionQuery } from '../../src/store/ports/exception-port.ts'
import type { AccountOverview, EndpointOverview, SeenChange } from '../../src/store/ports/query-port.ts'
import type {
  RecordDetail,
  RecordKey,
  RecordQuery,
  RecordSummary,
  SearchQuery,
  Slip,
  SlipQuery,
} from '../../src/store/ports/record-query-port.ts'
import { isAskedRecord } from '../../src/store/reports/record-summaries.ts'

const HOUR_MS = 3_600_000

/** What a desk shows, in arrays that a test changes. */
export class InMemoryDeskStore implements DeskStore {
  details: RecordDetail[] = []
  /** Oldest first. */
  log: LoggedEvent[] = []
  rows: Delivery[] = []
  tries = new Map<string, readonly Attempt[]>()
  slid: Slip[] = []
  kept: Reliability[] = []
  arrived: KnownArrival[] = []
  accountOverviews: AccountOverview[] = []
  endpointOverviews: EndpointOverview[] = []
  held: HeldList[] = []
  quarantined: QuarantinedRecord[] = []

  runs: SnapshotStanding[] = []

  async snapshotRuns(): Promise<readonly SnapshotStanding[]> {
    return this.runs
  }

  async feedPart(): Promise<null> {
    return null
  }

  /** In the order in which they are listed. */
  exceptions: KeptException[] = []

  async exceptionPage(query: ExceptionQuery): Promise<Page<KeptException>> {
    const found = this.exceptions.filter(
      (each) =>
        (query.states === undefined || query.states.includes(exceptionState(each, query.now))) &&
        (query.subjectId === undefined || each.subjectId === query.subjectId),
    )
    return paged(found, query)
  }

  async recordPage(query: RecordQuery | SearchQuery): Promise<Page<RecordSummary>> {
    const q = query.q?.toLowerCase()
    const found = this.details.filter(
      (each) =>
        (query.resource === undefined || each.resource === query.resource) &&
        (query.account === undefined || each.account === query.account) &&
        isAskedRecord(each, query) &&
        (q === undefined || JSON.stringify([each.id, each.name, each.object]).toLowerCase().includes(q)),
    )
    const byDueDate = found.toSorted((one, other) => (one.dueOn ?? '').localeCompare(other.dueOn ?? ''))
    return paged(query.due === undefined ? found : byDueDate, query)
  }

  async recordDetail({ account, id, resource }: RecordKey): Promise<RecordDetail | null> {
    return this.details.find((each) => each.account === account && each.resource === resource && each.id === id) ?? null
  }

  async records(
    account: string | null,
    resource: SubjectResource,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, RecordState>> {
    const found = this.details.filter((each) => each.account === account && each.resource === resource)
    const read = { sentAt: 0, answeredAt: 0 }
    return new Map(
      found
        .filter(({ id }) => ids.includes(id))
        .map((each) => [each.id, { ...newRecordState(each, { read, atBaseline: true }), seen: each.object }]),
    )
  }

  async slips(query: SlipQuery): Promise<Page<Slip>> {
    const found = this.slid.filter(
      (each) =>
        each.movedAt >= query.since &&
        (query.account === undefined || each.account === query.account) &&
        isOfCarrier(each.carrier, query.carrier) &&
        (query.lane === undefined || each.lane === query.lane),
    )
    return paged(
      found.toSorted((a, b) => Math.abs(b.driftMinutes) - Math.abs(a.driftMinutes)),
      query,
    )
  }

  async reliability({ by }: ReliabilityQuery): Promise<readonly Reliability[]> {
    return by === 'carrier' ? this.kept : this.kept.map((each) => ({ ...each, key: 'CNSHA-NLRTM' })).slice(0, 1)
  }

  async pastArrivals({ limit }: PastArrivalsQuery): Promise<readonly KnownArrival[]> {
    return this.arrived.slice(0, limit)
  }

  async eventPage(query: EventQuery): Promise<Page<LoggedEvent>> {
    const found = this.log.filter(
      (each) =>
        (query.account === undefined || each.account === query.account) &&
        (query.types === undefined || query.types.includes(each.type)) &&
        (query.resource === undefined || each.subject.resource === query.resource) &&
        (query.subjectId === undefined || each.subject.id === query.subjectId) &&
        (query.ids === undefined || query.ids.includes(each.id)) &&
        (query.since === undefined || each.timestamp >= query.since) &&
        (query.until === undefined || each.timestamp < query.until),
    )
    return paged(found.toReversed(), query)
  }

  async deliveryPage(query: DeliveryQuery): Promise<Page<Delivery>> {
    const found = this.rows.filter(
      (each) =>
        (query.subscription === undefined || each.subscription === query.subscription) &&
        (query.states === undefined || query.states.includes(each.state)) &&
        (query.eventId === undefined || each.eventId === query.eventId) &&
        (query.account === undefined || each.account === query.account),
    )
    return paged(found.toReversed(), query)
  }

  async retryable(query: RetryableQuery): Promise<RetryableSlice> {
    const found = this.rows.filter(
      ({ state, subscription }) => subscription === query.subscription && query.states.includes(state),
    )
    return { ids: found.map(({ id }) => id), after: null }
  }

  async countRetryable(query: RetryableCountQuery): Promise<RetryableCount> {
    const { ids } = await this.retryable({ ...query, after: null, upTo: this.log.length })
    return { amount: ids.length, after: null }
  }

  async attempts(id: string): Promise<readonly Attempt[]> {
    return this.tries.get(id) ?? []
  }

  async event(id: string): Promise<LoggedEvent | null> {
    return this.log.find((each) => each.id === id) ?? null
  }

  async story(id: string): Promise<EventStory | null> {
    const event = await this.event(id)
    return event && { event, provenance: null, previous: null, next: null, corrects: null, correctedBy: [] }
  }

  async deliveries(ids: readonly string[]): Promise<readonly Delivery[]> {
    return this.rows.filter(({ id }) => ids.includes(id))
  }

  async eventsNamed(name: string, { limit }: { readonly limit: number }): Promise<readonly string[]> {
    const found = this.log.filter(({ id, sequence }) => id.startsWith(name) || `#${sequence}` === name)
    return found.map(({ id }) => id).slice(0, limit)
  }

  async logPage({ after, limit }: LogQuery): Promise<LogPage> {
    const events = this.log.map((event, nth) => ({ place: nth + 1, event, rangAt: event.timestamp }))
    return { events: events.slice(after ?? 0, (after ?? 0) + limit), rows: new Map(), end: null }
  }

  async logEnds(): Promise<LogEnds> {
    return { droppedTo: null, lastPlace: this.log.length }
  }

  async eventHours(since: number): Promise<readonly EventHour[]> {
    const groups = Map.groupBy(
      this.log.filter(({ timestamp }) => timestamp >= since),
      ({ account, timestamp, type }) => JSON.stringify([Math.floor(timestamp / HOUR_MS) * HOUR_MS, account, type]),
    )
    return [...groups.values()].map((events): EventHour => {
      const [first] = events
      if (first === undefined) throw new Error('No group is empty.')
      const { account, timestamp, type } = first
      return { hour: Math.floor(timestamp / HOUR_MS) * HOUR_MS, account, type, amount: events.length }
    })
  }

  async failures(_filter?: FailureFilter): Promise<readonly FailureGroup[]> {
    return []
  }

  async quarantine(query: PageQuery): Promise<Page<QuarantinedRecord>> {
    return paged(this.quarantined, query)
  }

  async accounts(): Promise<readonly AccountOverview[]> {
    return this.accountOverviews
  }

  async endpoints(): Promise<readonly EndpointOverview[]> {
    return this.endpointOverviews
  }

  async deferredRows(): Promise<number> {
    return 0
  }

  async holds(): Promise<readonly HeldList[]> {
    return this.held
  }

  async changesSeen(): Promise<readonly SeenChange[]> {
    return []
  }
}

/** A cursor here is the number of what came before. */
function paged<T>(all: readonly T[], { cursor, limit }: PageQuery): Page<T> {
  if (cursor !== undefined && !/^c\d+$/.test(cursor))
    throw new ShipbellError('bad_cursor', 'cursor: not one of this list.')
  const start = cursor === undefined ? 0 : Number(cursor.slice(1))
  const end = start + limit
  return { items: all.slice(start, end), next: end < all.length ? `c${end}` : null }
}
