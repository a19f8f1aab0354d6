import type { DeliveryState } from '../../src/model/delivery.ts'
import type { EventDraft } from '../../src/model/event.ts'
import { randomOf } from '../../src/sandbox/random.ts'
import type { Store } from '../../src/store/ports.ts'
import { openStore } from '../../src/store/sqlite/open-store.ts'
import { sampleEvent } from '../store/samples.ts'
import { API_KEY, LoopbackPlatform } from '../support/loopback-platform.ts'
import { SECRET } from '../support/loopback-receiver.ts'
import { Workplace, type RunningShipbell } from '../support/shipbell.ts'
import { FaultyReceiver, type Faults } from './faulty-receiver.ts'

export interface ChaosOptions {
  readonly seed: number
  readonly events: number
  readonly subjects: number
  /** How often the process is killed, at moments drawn from the seed. */
  readonly kills: number
  readonly faults: Faults
  /** Of the events, those that are never taken and end `exhausted`. */
  readonly poison: number
  /** One subscription each; each matches every event. */
  readonly subscriptions: Readonly<Record<string, 'none' | 'subject' | 'disabled'>>
  readonly concurrency: number
  /** Deadline of an attempt. */
  readonly timeout: string
}

export interface ChaosReport {
  readonly states: Readonly<Record<string, Readonly<Record<DeliveryState, number>>>>
  /** (event, subscription) pairs that should have arrived and did not. */
  readonly lost: number
  readonly duplicates: number
  /** Deliveries under way at the kills, together. */
  readonly underWayAtKills: number
  readonly strangers: readonly string[]
  /** Events of an ordered subscription that arrived after a later one of their subject. */
  readonly outOfOrder: readonly string[]
  readonly answers: FaultyReceiver['answers']
  /** Exit codes of the processes; null of those that were killed. */
  readonly ended: readonly (number | null)[]
  /** From the first start to the last end. */
  readonly seconds: number
}

const BATCH = 100
/** Enough that only poison exhausts. */
const RETRIES = ['20ms', '50ms', '100ms', '100ms', '100ms', '100ms', '100ms', '100ms', '100ms', '100ms']
/** The line of an attempt after which its row is not tried again. */
const END = /"delivery":"([^"]+)".*"next":"(?:delivered|exhausted)"/g

/**
 * The real daemon delivers a backlog to a receiver that misbehaves, and is killed (SIGKILL) and started again meanwhile.
 * Ends when nothing is pending any more.
 */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  using work = new Workplace()
  await using platform = await LoopbackPlatform.start()
  const isPoison = (id: string): boolean => Number(id.slice('evt_'.length)) < options.poison
  await using receiver = await FaultyReceiver.start({ ...options, isPoison })
  const urls = { platform: platform.url, receiver: receiver.url }
  const configure = (level: LogLevel): void => void work.write('shipbell.yaml', configuration(options, urls, level))
  await using store = openStore({ path: `${work.folder}/shipbell.db` })
  await fill(store, options)
  const startedAt = performance.now()
  const fates = await deliver({ work, receiver, store, configure }, options)
  const expected = Object.entries(options.subscriptions).filter(([, order]) => order !== 'disabled').length
  return {
    ...fates,
    seconds: (performance.now() - startedAt) / 1_000,
    states: Object.fromEntries((await store.endpoints()).map(({ subscription, counts }) => [subscription, counts])),
    lost: expected * (options.events - options.poison) - receiver.total,
    duplicates: receiver.duplicates,
    strangers: receiver.strangers,
    outOfOrder: outOfOrder(receiver, options),
    answers: receiver.answers,
  }
}

type LogLevel = 'error' | 'info'

interface Scene {
  readonly work: Workplace
  readonly receiver: FaultyReceiver
  readonly store: Store
  readonly configure: (level: LogLevel) => void
}

async function deliver({ work, receiver, store, configure }: Scene, options: ChaosOptions) {
  const random = randomOf('kills', options.seed)
  const open = Object.values(options.subscriptions).filter((order) => order !== 'disabled').length
  const arriving = open * (options.events - options.poison)
  const killAfter = Array.from({ length: options.kills }, () => random.whole(1, Math.floor(arriving * 0.95)))
  const ended: (number | null)[] = []
  let underWayAtKills = 0
  configure('error')
  for (const count of killAfter.toSorted((a, b) => a - b)) {
    const daemon = work.start('run')
    await receiver.took(count)
    daemon.kill('SIGKILL')
    ended.push((await daemon.ended).code)
    underWayAtKills += await store.recoverClaims()
  }
  const pending = await pendingIn(store)
  configure('info')
  const daemon = work.start('run')
  await receiver.took(arriving)
  await ends(daemon, pending)
  daemon.kill('SIGTERM')
  ended.push((await daemon.ended).code)
  return { ended, underWayAtKills }
}

async function pendingIn(store: Store): Promise<number> {
  const open = (await store.endpoints()).filter(({ enabled }) => enabled)
  return open.reduce((sum, { counts }) => sum + counts.pending, 0)
}

/** Resolves once the daemon has said of so many rows how they ended; what it said it writes before it stops. */
async function ends(daemon: RunningShipbell, rows: number): Promise<void> {
  const ended = new Set<string | undefined>()
  let readTo = 0
  const look = (): number | null => {
    const said = daemon.stderr.slice(readTo, daemon.stderr.lastIndexOf('\n') + 1)
    readTo += said.length
    for (const [, row] of said.matchAll(END)) ended.add(row)
    return ended.size < rows ? null : ended.size
  }
  await daemon.finds(look, `how ${rows} rows ended`)
}

function configuration(
  { subscriptions, concurrency, timeout }: ChaosOptions,
  urls: { readonly platform: string; readonly receiver: string },
  level: LogLevel,
): string {
  const names = Object.entries(subscriptions)
  return `accounts:
  acme: { base_url: "${urls.platform}", api_key: ${API_KEY}, watch: { invoices: { every: 1h } } }
subscriptions:
${names
  .map(
    ([name, order]) =>
      `  ${name}: { url: "${urls.receiver}/${name}", secret: ${SECRET}, events: ["shipment.*"], timeout: ${timeout}, ` +
      `concurrency: ${concurrency}, ${order === 'disabled' ? 'enabled: false' : `order: ${order}`} }`,
  )
  .join('\n')}
delivery: { allow_networks: [127.0.0.0/8], retry: [${RETRIES.join(', ')}] }
http: false
log: { level: ${level} }
`
}

async function fill(store: Store, { events, subjects, subscriptions }: ChaosOptions): Promise<void> {
  const names = Object.keys(subscriptions)
  const configured = Object.entries(subscriptions).map(([name, order]) =>
    order === 'disabled' ? { name, enabled: false } : { name, enabled: true, order },
  )
  await store.syncSubscriptions(configured, 0)
  for (let first = 0; first < events; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, events - first) }, (_, n) => eventOf(first + n, subjects))
    const deliveries = batch.flatMap(({ id }) => names.map((subscription) => ({ eventId: id, subscription })))
    await store.commit({ account: 'acme', records: [], changes: [], dates: [], events: batch, deliveries })
  }
}

function eventOf(number: number, subjects: number): EventDraft {
  const subject = { resource: 'shipment', id: subjectOf(number, subjects), version: 1, previousEventId: null } as const
  return sampleEvent(`evt_${number}`, { subject, timestamp: 1 })
}

function subjectOf(number: number, subjects: number): string {
  return `SHP-${number % subjects}`
}

function outOfOrder({ taken }: FaultyReceiver, { subscriptions, subjects }: ChaosOptions): readonly string[] {
  return Object.entries(subscriptions)
    .filter(([, order]) => order === 'subject')
    .flatMap(([name]) => {
      const last = new Map<string, number>()
      return (taken.get(`/${name}`) ?? []).filter((id) => {
        const number = Number(id.slice('evt_'.length))
        const subject = subjectOf(number, subjects)
        const before = last.get(subject) ?? -1
        last.set(subject, Math.max(before, number))
        return number < before
      })
    })
}
