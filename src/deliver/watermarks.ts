import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { AccountSettings } from '../model/account.ts'
import { payloadBytes } from '../model/payload.ts'
import type { Subscription } from '../model/subscription.ts'
import { type ReadThrough, watermarkEvent } from '../model/watermark.ts'
import { readThroughFor } from '../route/read-through.ts'
import type { FeedStore } from '../store/ports/feed-port.ts'
import type { AccountOverview } from '../store/ports/query-port.ts'
import { openChannel } from './channels/channel-kinds.ts'
import type { Channel, ChannelContext } from './channels/channel.ts'
import { RenderedBodies } from './rendered-bodies.ts'

/** A changed file is followed that soon. */
const LOOK_EVERY_MS = 1_000
/** Rows that are looked at in one go: a few milliseconds. */
const ROWS_AT_ONCE = 2_000
const ID_BYTES = 20

export interface WatermarkDeps extends Omit<ChannelContext, 'allowNetworks' | 'bodies' | 'templateFailed'> {
  readonly store: Pick<FeedStore, 'claimWatermark' | 'endFeed' | 'feedPart'>
  readonly clock: Clock
  readonly log: Logger
  readonly subscriptions: () => readonly Subscription[]
  readonly settings: () => { readonly allowNetworks: readonly string[] }
  readonly accounts: () => readonly AccountSettings[]
  /** What the store knows of the accounts. */
  readonly overviews: () => Promise<readonly AccountOverview[]>
  /** Whether anything may be sent at this moment; left out: always. */
  readonly maySend?: () => boolean
}

/**
 * Tells subscriptions that ask for it how far they are complete. A watermark is no row, is tried once, and says nothing of its endpoint: the
 * next one says all that it said.
 */
export class Watermarks {
  readonly #deps: WatermarkDeps
  readonly #bodies = new RenderedBodies()
  /** When it is worth while to ask for the watermark of a subscription again. */
  readonly #askAt = new Map<string, number>()
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(deps: WatermarkDeps) {
    this.#deps = deps
  }

  /** Goes on until `signal` aborts. Never throws: what fails is tried again when the next one is due. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log, maySend } = this.#deps
    while (!signal.aborted) {
      try {
        if (maySend?.() !== false) await this.#tell(signal)
      } catch (error) {
        if (signal.aborted) break
        log.debug({ error: String(error) }, 'watermark.untold')
      }
      await clock.sleep(LOOK_EVERY_MS, signal)
    }
    await Promise.all(this.#underWay.values())
  }

  async #tell(signal: AbortSignal): Promise<void> {
    const { clock, store, subscriptions } = this.#deps
    let overviews: readonly AccountOverview[] | null = null
    for (const subscription of subscriptions()) {
      const { name } = subscription
      const everyMs = periodOf(subscription)
      const now = clock.now()
      const askAt = this.#askAt.get(name) ?? 0
      // A clock that was set back makes nobody wait.
      if (everyMs === null || this.#underWay.has(name) || (now < askAt && askAt <= now + everyMs)) continue
      const { isDue, waitMs } = await store.claimWatermark({ subscription: name, everyMs, now })
      this.#askAt.set(name, now + waitMs)
      if (!isDue) continue
      overviews ??= await this.#deps.overviews()
      const read = readThroughFor(subscription, { accounts: this.#deps.accounts(), overviews })
      const sending = this.#send(subscription, read, signal).finally(() => this.#underWay.delete(name))
      this.#underWay.set(name, sending)
    }
  }

  /** The edge where an unexpected error of one subscription ends. */
  async #send(subscription: Subscription, read: readonly ReadThrough[], signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps
    const { name } = subscription
    try {
      const event = await this.#made(subscription, read)
      if (event === null || signal.aborted) return
      const channel = this.#open(subscription)
      try {
        const now = clock.now()
        const delivery = { id: event.id, subscription: name, attempts: 0, dueAt: now, rangAt: now, event }
        const outcome = await channel.send([delivery], signal)
        log.debug({ subscription: name, watermark: event.id, outcome: outcome.kind }, 'watermark.sent')
      } finally {
        await channel[Symbol.asyncDispose]()
      }
    } catch (error) {
      log.debug({ subscription: name, error: String(error) }, 'watermark.untold')
    }
  }

  async #made({ channel, name: subscription }: Subscription, read: readonly ReadThrough[]) {
    const { clock, store } = this.#deps
    const walk = { subscription, ending: null, at: clock.now(), most: ROWS_AT_ONCE }
    while (!(await store.endFeed(walk)).isDone) await clock.sleep(0)
    const part = await store.feedPart({ subscription, after: 0, limit: 0 })
    if (part === null) return null
    const { endedTo: completeThrough, head: position, series } = part
    const id = `wm_${randomBytes(ID_BYTES).toString('hex')}`
    const of = { id, subscription, at: clock.now(), series, position, completeThrough }
    const event = watermarkEvent({ ...of, resources: read })
    const isTooLarge = 'watermarkMs' in channel && payloadBytes(event, { ...channel, payload: 'full' }).truncated
    return isTooLarge ? watermarkEvent({ ...of, resources: null }) : event
  }

  #open({ channel }: Subscription): Channel {
    const { allowNetworks } = this.#deps.settings()
    return openChannel(channel, { ...this.#deps, allowNetworks, bodies: this.#bodies })
  }
}

function periodOf({ channel }: Subscription): number | null {
  return 'watermarkMs' in channel ? (channel.watermarkMs ?? null) : null
}
