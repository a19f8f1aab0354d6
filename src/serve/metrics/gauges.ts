import { Counter, Gauge, type Registry } from 'prom-client'
import { type AccountSettings, watchedIn } from '../../model/account.ts'
import { DELIVERY_STATES } from '../../model/delivery.ts'
import { eventTypeInfo } from '../../model/event-catalogue.ts'
import { EXCEPTION_TYPES } from '../../model/exception-types.ts'
import { auditSum, mostDiffering, type ListAudit } from '../../model/list-audit.ts'
import { isRecordResource, LISTS, RECORD_OF, watchedAs, type Watchable } from '../../model/resource.ts'
import { healthOf } from '../../report/account.ts'
import { endpointState } from '../../report/endpoint.ts'
import { snapshotState, snapshotSums } from '../../model/snapshot-run.ts'
import { METRICS } from './catalogue.ts'
import type { AccountSnapshot, EndpointSnapshot, Snapshot } from './metrics-source.ts'

type GaugeName = {
  [Name in keyof typeof METRICS]: (typeof METRICS)[Name]['kind'] extends 'gauge' ? Name : never
}[keyof typeof METRICS]

/** A counter that outlives the process: the store keeps it. */
type KeptCounter = 'auditDiffered' | 'auditSampled'

type Labels = Readonly<Record<string, string>>

/** What is looked up when somebody asks. */
export class Gauges {
  readonly #registry: Registry
  readonly #gauges = new Map<GaugeName, Gauge>()
  /** What the store counts. */
  readonly #counters = new Map<KeptCounter, Counter>()
  readonly #startedAt: number

  /** `startedAt`: since when the process has had time to read. */
  constructor(registry: Registry, { startedAt, version }: { readonly startedAt: number; readonly version: string }) {
    this.#registry = registry
    this.#startedAt = startedAt
    this.#set('build', { version }, 1)
  }

  /** Shows this moment and no other: what is not in it has no series. */
  show(snapshot: Snapshot): void {
    for (const [name, gauge] of this.#gauges) if (name !== 'build') gauge.reset()
    for (const counter of this.#counters.values()) counter.reset()
    this.#set('storeBytes', {}, snapshot.storeBytes)
    this.#set('configRejected', {}, snapshot.configRejected ? 1 : 0)
    this.#set('leases', { worker: snapshot.worker.id }, snapshot.worker.leases)
    for (const account of snapshot.accounts) this.#account(account, snapshot)
    const configured = new Set(snapshot.accounts.map(({ settings }) => settings.name))
    for (const { account, open, type } of snapshot.exceptions)
      if (configured.has(account)) this.#set('exceptions', { account, type }, open)
    for (const endpoint of snapshot.endpoints) this.#endpoint(endpoint, snapshot.now)
  }

  #account(snapshot: AccountSnapshot, { holds, now }: Snapshot): void {
    const { known, polled, settings } = snapshot
    const account = settings.name
    this.#set('accountUp', { account }, known === null || healthOf(known) === 'ok' ? 1 : 0)
    this.#set('ceiling', { account }, known?.ceiling?.fraction ?? 1)
    for (const type of exceptionTypesOf(settings)) this.#set('exceptions', { account, type }, 0)
    if (polled !== null) this.#set('budgetRemaining', { account }, polled.client.budgetLeft)
    for (const [resource, { everyMs }] of watchedIn(settings.watch)) {
      const labels = { account, resource }
      const held = holds.filter((hold) => hold.account === account && watchedAs(hold.resource) === resource)
      const list = known?.lists.find((each) => each.resource === RECORD_OF[resource])
      this.#set('freshnessPromise', labels, everyMs / 1_000)
      this.#set('records', labels, list?.records ?? 0)
      const missing = held.reduce((sum, hold) => sum + hold.missing, 0)
      this.#set('heldRemovals', labels, missing)
      const readAt =
        polled?.oldestReadAt(resource) ?? (isList(resource) ? (list?.completedAt ?? this.#startedAt) : null)
      if (readAt !== null) this.#set('freshnessAge', labels, secondsSince(readAt, now))
      if (settings.audit === true && isList(resource)) this.#audited(labels, list?.audit ?? null, now)
    }
  }

  #audited(labels: Labels, audit: ListAudit | null, now: number): void {
    this.#count('auditSampled', labels, audit?.sampled ?? 0)
    this.#count('auditDiffered', labels, audit?.differed ?? 0)
    this.#set('auditDiffering', labels, mostDiffering(auditSum(audit, now)) ?? 1)
    this.#set('auditStale', labels, audit?.episode == null ? 0 : 1)
  }

  #count(name: KeptCounter, labels: Labels, value: number): void {
    const { help, labels: labelNames, name: shown } = METRICS[name]
    const counter =
      this.#counters.get(name) ??
      new Counter<string>({ name: shown, help, labelNames: [...labelNames], registers: [this.#registry] })
    this.#counters.set(name, counter)
    counter.inc(labels, value)
  }

  #endpoint(snapshot: EndpointSnapshot, now: number): void {
    const { known, run } = snapshot
    const { name: subscription } = snapshot.subscription
    for (const state of DELIVERY_STATES) this.#set('deliveries', { subscription, state }, known?.counts[state] ?? 0)
    this.#set('backlogAge', { subscription }, secondsSince(waitingSince(snapshot, now), now))
    this.#set('feedPosition', { subscription }, known?.position ?? 0)
    const untakenSince = known?.isPulled === true ? known.oldestPendingAt : null
    this.#set('feedAge', { subscription }, secondsSince(untakenSince, now))
    this.#set('snapshotUnderWay', { subscription }, run !== null && snapshotState(run) === 'under_way' ? 1 : 0)
    const { leftOut, sent } = run === null ? { leftOut: 0, sent: 0 } : snapshotSums(run)
    this.#set('snapshotRecords', { subscription, outcome: 'sent' }, sent)
    this.#set('snapshotRecords', { subscription, outcome: 'left_out' }, leftOut)
    this.#set('endpointUp', { subscription }, known === null || endpointState(known).text === 'ok' ? 1 : 0)
  }

  #set(name: GaugeName, labels: Labels, value: number): void {
    const { help, labels: labelNames, name: shown } = METRICS[name]
    const gauge =
      this.#gauges.get(name) ??
      new Gauge<string>({ name: shown, help, labelNames: [...labelNames], registers: [this.#registry] })
    this.#gauges.set(name, gauge)
    gauge.set(labels, value)
  }
}

/** The types of events that may open an exception of what an account watches. */
function exceptionTypesOf({ watch }: AccountSettings): readonly string[] {
  return Object.keys(EXCEPTION_TYPES).filter((type) => {
    const resource = eventTypeInfo(type)?.resource
    return resource !== undefined && isRecordResource(resource) && Object.hasOwn(watch, watchedAs(resource))
  })
}

/** A list is to be read even if it is empty; of what is read item by item there may be nothing to read. */
function isList(resource: Watchable): boolean {
  return LISTS.some((name) => name === resource)
}

/**
 * Since when something waits to be delivered; null: nothing does. What waits to be sent together does not count: beside it only
 * what is due, or has failed, shows that something waits longer than it should.
 */
function waitingSince({ deferred, dueAt, known }: EndpointSnapshot, now: number): number | null {
  if (known === null || known.isPulled || known.counts.pending <= deferred) return null
  if (deferred === 0) return known.oldestPendingAt
  const since = [known.failingSince, dueAt].flatMap((at) => (at === null || at > now ? [] : [at]))
  return since.length === 0 ? null : Math.min(...since)
}

/** A clock that was set back shows 0, as does what is not there. */
function secondsSince(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, now - at) / 1_000
}
