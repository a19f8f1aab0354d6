import { isDeepStrictEqual } from 'node:util'
import { turnTaking } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { MessageTemplate, TemplateFailure } from '../model/message-template.ts'
import type { Subscription } from '../model/subscription.ts'
import type { EndpointStore, WaitStore } from '../store/ports/delivery-port.ts'
import type { Available } from './availability.ts'
import type { Batch } from './batches.ts'
import { openChannel } from './channels/channel-kinds.ts'
import type { ChannelContext } from './channels/channel.ts'
import { Cooldowns, Endpoint } from './endpoint.ts'
import { RenderedBodies } from './rendered-bodies.ts'
import { SubscriptionRuntime, type BegunAttempt } from './subscription-runtime.ts'

/** How old a known backlog may be while an endpoint is probed. */
const LOOK_EVERY_MS = 1_000

/** What it takes to open a channel; the networks that may be dialled are the current ones. */
export interface RuntimesContext extends Omit<ChannelContext, 'allowNetworks' | 'bodies' | 'templateFailed'> {
  readonly log: Logger
  readonly allowNetworks: () => readonly string[]
  /** See `DelivererDeps`. */
  readonly askedProbes?: () => Promise<ReadonlyMap<string, number>>
}

/** A batch in hand. */
interface Place {
  readonly runtime: SubscriptionRuntime
  /** Deliveries of it that are not settled yet. */
  left: number
}

/** The runtimes of the subscriptions, by name, and which deliveries they have in hand: claimed and not yet settled. */
export class SubscriptionRuntimes implements AsyncDisposable {
  readonly #context: RuntimesContext
  readonly #bodies = new RenderedBodies()
  readonly #byName = new Map<string, SubscriptionRuntime>()
  readonly #inHand = new Map<string, Place>()
  readonly #cooldowns = new Cooldowns()
  #current: readonly Subscription[] = []
  #allowNetworks: readonly string[] = []
  /** When the store is to be looked at; null: what earlier processes saw was not asked for yet. */
  #lookAt: number | null = null

  constructor(context: RuntimesContext) {
    this.#context = context
  }

  get(name: string): SubscriptionRuntime {
    const runtime = this.#byName.get(name) ?? new SubscriptionRuntime(this.#cooldowns)
    this.#byName.set(name, runtime)
    return runtime
  }

  /** Follows a reload: attempts under way end on the old endpoint. Throws `config_invalid` where a channel's settings cannot be used. */
  async configure(subscriptions: readonly Subscription[]): Promise<void> {
    const allowNetworks = this.#context.allowNetworks()
    if (subscriptions === this.#current && allowNetworks === this.#allowNetworks) return
    const letOthers = turnTaking(this.#context.clock)
    const names = new Set(subscriptions.map(({ name }) => name))
    const areNetworksNew = !isDeepStrictEqual(allowNetworks, this.#allowNetworks)
    for (const [name, runtime] of this.#byName) if (areNetworksNew || !names.has(name)) await runtime.retire()
    for (const subscription of subscriptions) {
      await this.get(subscription.name).configure(subscription, () => this.#open(subscription))
      await letOthers()
    }
    this.#current = subscriptions
    this.#allowNetworks = allowNetworks
  }

  /** Loads what the store knows: once what earlier processes saw; while an endpoint is probed or starts slowly also backlogs, and what commands enabled. */
  async follow(store: EndpointStore & Pick<WaitStore, 'waits'>, now: number): Promise<void> {
    await this.#cooldowns.recall(store)
    const lookAt = this.#lookAt
    const isToLook = ({ isRestrained, isBacklogKnown }: SubscriptionRuntime): boolean =>
      isRestrained && (!isBacklogKnown || lookAt === null || now >= lookAt)
    if (lookAt !== null && !this.#current.some(({ name }) => isToLook(this.get(name)))) return
    const asked = await this.#context.askedProbes?.()
    const letOthers = turnTaking(this.#context.clock)
    for (const load of await store.endpointFacts()) {
      const runtime = this.get(load.subscription)
      if (lookAt === null) {
        // Nothing is sent yet: what was read is still so.
        await letOthers()
        runtime.recall(load)
      } else runtime.follow(load)
      runtime.probeAsked(asked?.get(load.subscription) ?? null)
    }
    this.#lookAt = now + LOOK_EVERY_MS
  }

  /** What may go now of each subscription, and when next. `forced`: of what a command asks for. */
  available(now: number, forced: boolean): ReadonlyMap<string, Available> {
    return new Map(this.#current.map(({ name }) => [name, this.get(name).available(now, forced)]))
  }

  /** Whether a delivery is in hand: claimed again, because its claim ran out while its attempt goes on. */
  holds(deliveryId: string): boolean {
    return this.#inHand.has(deliveryId)
  }

  /** All deliveries in hand. */
  get inHand(): Iterable<string> {
    return this.#inHand.keys()
  }

  /** An attempt begins, which takes one of its subscription's places until all of its deliveries are settled. */
  begin(batch: Batch, now: number): BegunAttempt {
    const runtime = this.get(batch[0].subscription)
    const place = { runtime, left: batch.length }
    for (const { id } of batch) this.#inHand.set(id, place)
    return runtime.begin(batch, now)
  }

  /** Batches in hand of subscriptions of this trust. */
  inFlight(trust: SubscriptionRuntime['trust']): number {
    let sum = 0
    for (const runtime of this.#byName.values()) if (runtime.trust === trust) sum += runtime.inFlight
    return sum
  }

  settled(deliveryId: string): void {
    const place = this.#inHand.get(deliveryId)
    if (place === undefined) return
    this.#inHand.delete(deliveryId)
    place.left -= 1
    if (place.left === 0) place.runtime.settled()
  }

  #open({ name, channel }: Subscription): Endpoint {
    const context = {
      ...this.#context,
      allowNetworks: this.#context.allowNetworks(),
      bodies: this.#bodies,
      templateFailed: logTemplateOnce(this.#context.log, name),
    }
    return new Endpoint(channel, openChannel(channel, context), context.zoneOf)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#byName.values()].map(async (runtime) => await runtime[Symbol.asyncDispose]()))
    this.#byName.clear()
  }
}

/** Logs the first failure of each template of a subscription: a template that fails once tends to fail on every event. */
function logTemplateOnce(log: Logger, subscription: string): (failure: TemplateFailure) => void {
  const logged = new WeakSet<MessageTemplate>()
  return ({ template, type, reason }) => {
    if (logged.has(template)) return
    logged.add(template)
    log.warn({ subscription, type, error: reason, next: 'the built-in message is sent' }, 'template.failed')
  }
}
