import { isDeepStrictEqual } from 'node:util'
import type { Logger } from '../log.ts'
import type { Subscription } from '../model/subscription.ts'
import type { ChannelContext } from './channels/channel.ts'
import { openChannel } from './channels/channel-kinds.ts'
import { Endpoint } from './endpoint.ts'
import { logTemplateOnce } from './log-template-once.ts'
import { RenderedBodies } from './rendered-bodies.ts'

/** What it takes to open a channel; the networks that may be dialled are the current ones. */
export interface EndpointsContext extends Omit<ChannelContext, 'allowNetworks' | 'bodies' | 'templateFailed'> {
  readonly log: Logger
  readonly allowNetworks: () => readonly string[]
}

/** The endpoints of the current subscriptions, by name. A changed one is replaced; attempts under way end on the old one. */
export class Endpoints implements AsyncDisposable {
  readonly #context: EndpointsContext
  readonly #bodies = new RenderedBodies()
  readonly #byName = new Map<string, Endpoint>()
  #current: readonly Subscription[] = []
  #allowNetworks: readonly string[] = []

  constructor(context: EndpointsContext) {
    this.#context = context
  }

  get(name: string): Endpoint | undefined {
    return this.#byName.get(name)
  }

  /** Follows a reload; returns the names of those that are new or changed. Throws `config_invalid` where a channel's settings cannot be used. */
  async follow(subscriptions: readonly Subscription[]): Promise<readonly string[]> {
    const allowNetworks = this.#context.allowNetworks()
    if (subscriptions === this.#current && allowNetworks === this.#allowNetworks) return []
    if (!isDeepStrictEqual(allowNetworks, this.#allowNetworks))
      for (const name of this.#byName.keys()) await this.#retire(name)
    const names = new Set(subscriptions.map(({ name }) => name))
    for (const name of this.#byName.keys()) if (!names.has(name)) await this.#retire(name)
    const opened: string[] = []
    for (const subscription of subscriptions) if (await this.#open(subscription)) opened.push(subscription.name)
    this.#current = subscriptions
    this.#allowNetworks = allowNetworks
    return opened
  }

  async #open(subscription: Subscription): Promise<boolean> {
    const { name, channel } = subscription
    if (isDeepStrictEqual(this.#byName.get(name)?.settings, channel)) return false
    const { log } = this.#context
    const context = {
      ...this.#context,
      allowNetworks: this.#context.allowNetworks(),
      bodies: this.#bodies,
      templateFailed: logTemplateOnce(log, name),
    }
    const endpoint = new Endpoint(channel, openChannel(channel, context))
    await this.#retire(name)
    this.#byName.set(name, endpoint)
    return true
  }

  async #retire(name: string): Promise<void> {
    const endpoint = this.#byName.get(name)
    this.#byName.delete(name)
    await endpoint?.retire()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#byName.values()].map(async (endpoint) => await endpoint[Symbol.asyncDispose]()))
    this.#byName.clear()
  }
}
