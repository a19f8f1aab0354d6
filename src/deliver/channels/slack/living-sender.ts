import { hash } from 'node:crypto'
import { Deadline } from '../../../http/deadline.ts'
import type { LivingMessage } from '../../../model/living-message.ts'
import type { SlackApp, SlackChannel } from '../../../model/subscription.ts'
import type { Batch, BatchPolicy } from '../../batches.ts'
import type { Channel, ChannelContext, SendOutcome, SentPart } from '../channel.ts'
import { GATHERED_BY_ACCOUNT } from '../chat/gathering.ts'
import type { ManyOfOne } from './living-message.ts'
import { LivingThreads } from './living-threads.ts'
import { SlackApi } from './slack-api.ts'
import { SlackCalls, Unsent } from './slack-calls.ts'
import { toldTogether, type Told } from './told-together.ts'

const CUT: SendOutcome = { kind: 'cut' }

/**
 * An app of Slack: one message for each shipment, which is kept up to date, and whose thread is the log. One attempt at a time
 * sends for a subscription, among all workers, so no two of them write one message.
 */
export class LivingSender implements Channel {
  readonly batchPolicy: BatchPolicy = GATHERED_BY_ACCOUNT
  /** Slack counts what an app does. */
  readonly address: string
  readonly #api: SlackApi
  readonly #channel: SlackChannel
  readonly #context: ChannelContext
  readonly #app: SlackApp

  constructor(channel: SlackChannel, app: SlackApp, context: ChannelContext) {
    this.address = hash('sha256', `${channel.url} ${app.token}`)
    this.#api = new SlackApi(channel, app, context)
    this.#channel = channel
    this.#context = context
    this.#app = app
  }

  /** One attempt, shipment after shipment, for as long as there is time; what is left is taken up by the next one. */
  async send(batch: Batch, shutdown: AbortSignal): Promise<SendOutcome> {
    if (shutdown.aborted) return CUT
    const { clock } = this.#context
    const { timeoutMs } = this.#channel
    using deadline = new Deadline({ clock, timeoutMs, signal: shutdown })
    const threads = this.#threads(deadline)
    const begunAt = clock.monotonic()
    const parts: SentPart[] = []
    const told = toldTogether(batch)
    for (const [place, each] of told.entries()) {
      const isLate = place > 0 && clock.monotonic() - begunAt > timeoutMs / 2
      const outcome = isLate ? CUT : await this.#tell(each, threads)
      parts.push({ batch: each.batch, outcome })
      if (outcome.kind === 'delivered' || (outcome.kind === 'failed' && outcome.permanent === true)) continue
      parts.push(...leftOver(told.slice(place + 1), outcome))
      break
    }
    const [first] = parts
    if (first === undefined) return CUT
    return parts.length === 1 ? first.outcome : { ...first.outcome, parts }
  }

  /** Shows the message of a shipment as it stands now, after what somebody did about it. Throws what Slack made of that. */
  async refresh(known: LivingMessage, events: ManyOfOne, signal: AbortSignal): Promise<void> {
    const { clock } = this.#context
    const { timeoutMs } = this.#channel
    using deadline = new Deadline({ clock, timeoutMs, signal })
    await this.#threads(deadline).refresh(known, events)
  }

  #threads(deadline: Deadline): LivingThreads {
    const { timeoutMs } = this.#channel
    const { clock } = this.#context
    const calls = new SlackCalls({ api: this.#api, address: this.address, clock, timeoutMs, deadline })
    return new LivingThreads({ calls, channel: this.#channel, app: this.#app, context: this.#context })
  }

  async #tell(told: Told, threads: LivingThreads): Promise<SendOutcome> {
    try {
      return await threads.tell(told)
    } catch (error) {
      if (error instanceof Unsent) return error.outcome
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#api[Symbol.asyncDispose]()
  }
}

/** What a failed attempt did not come to: it waits where Slack asks for that, and else fails like what came before it. */
function leftOver(told: readonly Told[], outcome: SendOutcome): readonly SentPart[] {
  const [first, ...rest] = told.flatMap(({ batch }) => batch)
  if (first === undefined) return []
  const isAsked = outcome.kind === 'failed' && outcome.cooldownOf !== undefined
  if (outcome.kind === 'cut' || isAsked) return [{ batch: [first, ...rest], outcome: CUT }]
  const { progress: _, ...same } = outcome
  return [{ batch: [first, ...rest], outcome: same }]
}
