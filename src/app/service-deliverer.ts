import { inTurns, type Clock } from '../clock.ts'
import type { LiveConfig } from '../config/live-config.ts'
import { createDeliverer, type Deliverer } from '../deliver/deliverer.ts'
import { Watermarks } from '../deliver/watermarks.ts'
import { followedReads } from '../operate/item-reads.ts'
import type { EndpointWatch } from '../deliver/endpoint-watch.ts'
import type { Resolve } from '../http/names/name-resolver.ts'
import type { Logger } from '../log.ts'
import type { Telemetry } from '../model/telemetry.ts'
import type { ChangeFeed } from '../serve/stream/change-feed.ts'
import type { WorkProgress } from '../plan/work-progress.ts'
import { readVersion } from '../version.ts'
import { messageContext } from '../operate/message-context.ts'
import { askedProbes } from '../operate/asked-probes.ts'
import { limitReport } from '../operate/limit-report.ts'
import type { SnapshotLoop } from '../poll/snapshots/snapshot-loop.ts'
import type { MadeAtRunTime } from './made-at-run-time.ts'
import type { OpenedWork } from './opened-work.ts'

export interface ServiceDelivererOptions {
  readonly live: LiveConfig
  readonly clock: Clock
  readonly log: Logger
  readonly random: () => number
  readonly resolve?: Resolve | undefined
}

export interface ServiceDelivererParts {
  readonly work: OpenedWork
  readonly feed: ChangeFeed
  readonly telemetry: Telemetry
  readonly watch: EndpointWatch
  readonly progress: WorkProgress
  readonly runtime: MadeAtRunTime
  readonly snapshots: Pick<SnapshotLoop, 'settled'>
}

/** Sends what is due of the subscriptions that are this process's to send to. */
export function serviceDeliverer(
  { clock, live, log, random, resolve }: ServiceDelivererOptions,
  { feed, runtime, snapshots, work, ...parts }: ServiceDelivererParts,
): Deliverer {
  const { share, store } = work
  const sending = {
    clock,
    log,
    maySend: () => share.isTrusted(),
    subscriptions: () => runtime.sendable(share.subscriptions()),
    settings: () => live.config.delivery,
    version: readVersion(),
    secrets: () => live.secrets,
    ...messageContext(() => live.config),
    ...(resolve && { resolve }),
  }
  const watermarks = new Watermarks({
    ...sending,
    store,
    accounts: () => live.config.accounts,
    overviews: async () => await followedReads(store, { accounts: live.config.accounts, now: clock.now() }),
  })
  const deliverer = createDeliverer({
    ...parts,
    ...sending,
    store,
    living: store,
    onLimit: limitReport({ store, clock, log }),
    askedProbes: async () => await askedProbes(store),
    onSettled: (ids) => {
      feed.rowsChanged(ids)
      runtime.tender.settled()
      snapshots.settled()
    },
    random,
    owner: () => share.owner,
    processes: () => share.processes,
  })
  return {
    drain: async (signal, only) => await deliverer.drain(signal, only),
    wake: () => deliverer.wake(),
    run: async (signal) => {
      await Promise.all(inTurns([async () => deliverer.run(signal), async () => watermarks.run(signal)]))
    },
    [Symbol.asyncDispose]: async () => await deliverer[Symbol.asyncDispose](),
  }
}
