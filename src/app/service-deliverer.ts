import type { Clock } from '../clock.ts'
import type { LiveConfig } from '../config/live-config.ts'
import { createDeliverer, type Deliverer } from '../deliver/deliverer.ts'
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
}

/** Sends what is due of the subscriptions that are this process's to send to. */
export function serviceDeliverer(
  { clock, live, log, random, resolve }: ServiceDelivererOptions,
  { feed, runtime, work, ...parts }: ServiceDelivererParts,
): Deliverer {
  const { share, store } = work
  return createDeliverer({
    ...parts,
    store,
    onLimit: limitReport({ store, clock, log }),
    askedProbes: async () => await askedProbes(store),
    onSettled: (ids) => {
      feed.rowsChanged(ids)
      runtime.tender.settled()
    },
    clock,
    log,
    random,
    owner: () => share.owner,
    processes: () => share.processes,
    maySend: () => share.isTrusted(),
    subscriptions: () => runtime.sendable(share.subscriptions()),
    settings: () => live.config.delivery,
    version: readVersion(),
    secrets: () => live.secrets,
    ...messageContext(() => live.config),
    ...(resolve && { resolve }),
  })
}
