import type { DeliveryState } from '../../src/model/delivery.ts'
import type { EventDraft } from '../../src/model/event.ts'
import { randomOf } from '../../src/sandbox/random.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { sampleEvent } from '../store/samples.ts'
import { LoopbackPlatform } from '../support/loopback-platform.ts'
import { Workplace } from '../support/shipbell.ts'
import { reportBackups, type BackupsReport } from './chaos-backups-report.ts'
import { takeBackups, type TakenBackup } from './chaos-backups.ts'
import { chaosConfiguration, isPoisonOf, type ChaosOptions, type LogLevel } from './chaos-configuration.ts'
import { FaultyReceiver } from './faulty-receiver.ts'
import { rowsEnded } from './rows-ended.ts'

export interface ChaosReport {
  readonly states: Readonly<Record<string, Readonly<Record<DeliveryState, number>>>>
  /** (event, subscription) pairs that should have arrived and did not. */
  readonly lost: number
  readonly duplicates: number
  /** Deliveries that were confirmed at the kills and not written down as such, together. */
  readonly underWayAtKills: number
  readonly strangers: readonly string[]
  /** Events of an ordered subscription that arrived after a later one of their subject. */
  readonly outOfOrder: readonly string[]
  readonly answers: FaultyReceiver['answers']
  /** Exit codes of the processes; null of those that were killed. */
  readonly ended: readonly (number | null)[]
  /** From the first start to the last end. */
  readonly seconds: number
  /** Null where none were asked for. */
  readonly backups: BackupsReport | null
}

const BATCH = 100

/**
 * The real daemon delivers a backlog to a receiver that misbehaves, and is killed (SIGKILL) and started again meanwhile.
 * Ends when nothing is pending any more.
 */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  using work = new Workplace()
  await using platform = await LoopbackPlatform.start()
  const isPoison = isPoisonOf(options)
  await using receiver = await FaultyReceiver.start({ ...options, isPoison })
  const urls = { platform: platform.url, receiver: receiver.url }
  const configure = (level: LogLevel): void =>
    void work.write('shipbell.yaml', chaosConfiguration(options, urls, level))
  await using store = openStore({ path: `${work.folder}/shipbell.db` })
  await fill(store, options)
  const startedAt = performance.now()
  const kills = { underWay: 0 }
  const { taken, ...fates } = await backedUp({ work, receiver, store, configure, kills }, options)
  const seconds = (performance.now() - startedAt) / 1_000
  const expected = Object.entries(options.subscriptions).filter(([, order]) => order !== 'disabled').length
  return {
    ...fates,
    seconds,
    underWayAtKills: kills.underWay,
    backups: options.backups === undefined ? null : await reportBackups(taken, platform.url, options),
    states: Object.fromEntries((await store.endpoints()).map(({ subscription, counts }) => [subscription, counts])),
    lost: expected * (options.events - options.poison) - receiver.total,
    duplicates: receiver.duplicates,
    strangers: receiver.strangers,
    outOfOrder: outOfOrder(receiver, options),
    answers: receiver.answers,
  }
}

interface Scene {
  readonly work: Workplace
  readonly receiver: FaultyReceiver
  readonly store: Store
  readonly configure: (level: LogLevel) => void
  readonly kills: { underWay: number }
}

/** Delivers, with backups meanwhile where they are asked for. */
async function backedUp(scene: Scene, options: ChaosOptions) {
  const over = new AbortController()
  const { everyMs } = options.backups ?? { everyMs: null }
  const taking: Promise<readonly TakenBackup[]> =
    everyMs === null ? Promise.resolve([]) : takeBackups(scene, everyMs, over.signal)
  try {
    const ended = await deliver(scene, options)
    over.abort()
    return { ended, taken: await taking }
  } finally {
    over.abort()
    await taking
  }
}

async function deliver(scene: Scene, options: ChaosOptions): Promise<readonly (number | null)[]> {
  const { work, receiver, store, configure, kills } = scene
  const random = randomOf('kills', options.seed)
  const open = Object.values(options.subscriptions).filter((order) => order !== 'disabled').length
  const arriving = open * (options.events - options.poison)
  const killAfter = Array.from({ length: options.kills }, () => random.whole(1, Math.floor(arriving * 0.95)))
  const ended: (number | null)[] = []
  configure('error')
  for (const count of killAfter.toSorted((a, b) => a - b)) {
    const daemon = work.start('run')
    await receiver.took(count)
    daemon.kill('SIGKILL')
    ended.push((await daemon.ended).code)
    await receiver.left()
    kills.underWay += receiver.total - (await deliveredIn(store))
  }
  const pending = await pendingIn(store)
  configure('info')
  const daemon = work.start('run')
  await receiver.took(arriving)
  await rowsEnded(daemon, pending)
  daemon.kill('SIGTERM')
  ended.push((await daemon.ended).code)
  return ended
}

async function deliveredIn(store: Store): Promise<number> {
  return (await store.endpoints()).reduce((sum, { counts }) => sum + counts.delivered, 0)
}

async function pendingIn(store: Store): Promise<number> {
  const open = (await store.endpoints()).filter(({ enabled }) => enabled)
  return open.reduce((sum, { counts }) => sum + counts.pending, 0)
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
