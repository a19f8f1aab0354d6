import { hash } from 'node:crypto'
import type { SlackChannel } from '../../../model/subscription.ts'
import type { BatchPolicy, Batch } from '../../batches.ts'
import type { Channel, ChannelContext, SendOutcome } from '../channel.ts'
import { messageRenderer, type RenderMessage } from '../message-renderer.ts'
import { SYSTEM_TLS } from '../http/describe-tls-failure.ts'
import { HttpPoster } from '../http/http-poster.ts'
import { burstMessage } from './burst-message.ts'
import { eventMessage } from './event-message.ts'
import { judgeSlackAnswer } from './judge-slack-answer.ts'
import type { SlackMessage } from './slack-message.ts'
import { MOST_WAITING, formSlackBatches } from './slack-policy.ts'

const TOO_MANY_REQUESTS = 429

/** Messages to one incoming webhook: one for each event, or one for many that come together. */
export class SlackSender implements Channel {
  readonly #context: ChannelContext
  readonly #poster: HttpPoster
  readonly #channel: SlackChannel
  readonly batchPolicy: BatchPolicy = { most: MOST_WAITING, form: formSlackBatches }
  /** Slack counts the messages of a webhook, whoever posts them. */
  readonly address: string

  constructor(channel: SlackChannel, context: ChannelContext) {
    this.#context = context
    this.address = hash('sha256', new URL(channel.url).href)
    this.#channel = channel
    this.#poster = new HttpPoster({ ...channel, tls: null, remedies: SYSTEM_TLS, secrets: channel.hidden }, context)
  }

  async send(batch: Batch, shutdown: AbortSignal): Promise<SendOutcome> {
    const { clock, version } = this.#context
    const headers = { 'user-agent': `shipbell/${version}`, 'content-type': 'application/json; charset=utf-8' }
    const body = Buffer.from(JSON.stringify(slackMessage(batch, messageRenderer(this.#channel, this.#context))))
    const outcome = await this.#poster.post({ headers, body }, shutdown, (answer) =>
      judgeSlackAnswer(answer, this.#poster.origin, clock.now()),
    )
    const isTooMany = outcome.kind === 'failed' && outcome.status === TOO_MANY_REQUESTS
    return isTooMany ? { ...outcome, cooldownOf: this.address } : outcome
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#poster[Symbol.asyncDispose]()
  }
}

/** The message that tells a batch. */
export function slackMessage([{ event }, ...more]: Batch, render: RenderMessage): SlackMessage {
  return more.length === 0
    ? eventMessage(event, render)
    : burstMessage([event, ...more.map((each) => each.event)], render)
}
