import { Counter, Histogram, type LabelValues, type Registry } from 'prom-client'
import type { AccountSettings } from '../../model/account.ts'
import { watchedIn } from '../../model/account.ts'
import type { EventDraft } from '../../model/event.ts'
import { isRecordResource, watchedAs, type Watchable } from '../../model/resource.ts'
import type { Subscription } from '../../model/subscription.ts'
import {
  ATTEMPT_OUTCOMES,
  REQUEST_OUTCOMES,
  type EndedCommit,
  type EndedRequest,
  type EndedSend,
  type Telemetry,
} from '../../model/telemetry.ts'
import { METRICS } from './catalogue.ts'

/** What is counted as it happens. */
export class Counted implements Telemetry {
  readonly #requests: Counter
  readonly #requestDuration: Histogram
  readonly #detectionDelay: Histogram
  readonly #events: Counter
  readonly #attempts: Counter
  readonly #attemptDuration: Histogram
  readonly #takeovers: Counter
  #takenOver = 0

  constructor(registry: Registry) {
    this.#requests = counter(registry, METRICS.requests)
    this.#requestDuration = histogram(registry, METRICS.requestDuration)
    this.#detectionDelay = histogram(registry, METRICS.detectionDelay)
    this.#events = counter(registry, METRICS.events)
    this.#attempts = counter(registry, METRICS.attempts)
    this.#attemptDuration = histogram(registry, METRICS.attemptDuration)
    this.#takeovers = counter(registry, METRICS.takeovers)
  }

  requested({ account, exchange, outcome, resource }: EndedRequest): void {
    this.#requests.inc({ account, resource, outcome })
    this.#requestDuration.observe(secondsBetween(exchange.sentAt, exchange.answeredAt))
  }

  committed({ error, events }: EndedCommit): void {
    if (error !== null || events.length === 0) return
    for (const [type, own] of Map.groupBy(events, (event) => event.type))
      for (const [account, { length }] of Map.groupBy(own, (event) => event.account ?? ''))
        this.#events.inc({ account, type }, length)
    for (const { delaySeconds, resource } of delaysOf(events)) this.#detectionDelay.observe({ resource }, delaySeconds)
  }

  attempted({ durationMs, rows, subscription }: EndedSend): void {
    for (const { outcome } of rows) this.#attempts.inc({ subscription, outcome })
    this.#attemptDuration.observe({ subscription }, durationMs / 1_000)
  }

  /** `amount`: since the start of the process. */
  tookOver(amount: number): void {
    this.#takeovers.inc(amount - this.#takenOver)
    this.#takenOver = amount
  }

  /** Drops the series of what is configured no more, and begins others at 0: of a series that begins at 1 nobody sees the first rise. */
  async follow(accounts: readonly AccountSettings[], subscriptions: readonly Subscription[]): Promise<void> {
    const names = new Set(subscriptions.map(({ name }) => name))
    const ofAccount = new Set(['', ...accounts.map(({ name }) => name)])
    await keep(this.#events, 'account', ofAccount)
    await keep(this.#requests, 'account', ofAccount)
    await keep(this.#attempts, 'subscription', names)
    await keep(this.#attemptDuration, 'subscription', names)
    for (const { name: account, watch } of accounts)
      for (const [resource] of watchedIn(watch))
        for (const outcome of REQUEST_OUTCOMES) this.#requests.inc({ account, resource, outcome }, 0)
    for (const subscription of names)
      for (const outcome of ATTEMPT_OUTCOMES) this.#attempts.inc({ subscription, outcome }, 0)
  }
}

type Info = (typeof METRICS)[keyof typeof METRICS]
type HistogramInfo = Extract<Info, { readonly kind: 'histogram' }>

function counter(registry: Registry, { help, labels, name }: Info & { readonly kind: 'counter' }): Counter {
  return new Counter({ name, help, labelNames: [...labels], registers: [registry] })
}

function histogram(registry: Registry, { buckets, help, labels, name }: HistogramInfo): Histogram {
  return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] })
}

async function keep(metric: Counter | Histogram, label: string, names: ReadonlySet<string>): Promise<void> {
  const { values } = await metric.get()
  const gone = new Map<string, LabelValues<string>>()
  for (const { labels } of values) {
    const { le: _le, ...own } = labels
    if (!names.has(String(own[label]))) gone.set(JSON.stringify(own), own)
  }
  for (const labels of gone.values()) metric.remove(labels)
}

/** One for each record that shows news: between its last read without it and the first with it. Removals take several reads. */
function delaysOf(events: readonly EventDraft[]) {
  const seen = new Map<string, { readonly resource: Watchable; readonly delaySeconds: number }>()
  for (const { cause, observed, subject, type } of events) {
    const notBefore = observed?.notBefore ?? null
    if (observed === null || notBefore === null || !isRecordResource(subject.resource)) continue
    if ((cause !== 'change' && cause !== 'correction') || /\.(?:removed|restored)$/.test(type)) continue
    const resource = watchedAs(subject.resource)
    seen.set(`${resource} ${subject.id}`, { resource, delaySeconds: secondsBetween(notBefore, observed.notAfter) })
  }
  return seen.values()
}

/** 0 where the clock was set back in between. */
function secondsBetween(from: number, to: number): number {
  return Math.max(0, to - from) / 1_000
}
