import { hash } from 'node:crypto'
import { factLine } from '../../../message/facts/fact.ts'
import type { EventLink } from '../../../model/event-link.ts'
import type { SlackChannel } from '../../../model/subscription.ts'
import type { BatchPolicy, Batch } from '../../batches.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import type { Channel, ChannelContext, SendOutcome } from '../channel.ts'
import { messageRenderer, type RenderMessage } from '../message-renderer.ts'
import { Receiver, SYSTEM_TLS } from '../receiver.ts'
import { burstMessage } from './burst-message.ts'
import { eventMessage } from './event-message.ts'
import { judgeSlackAnswer } from './judge-slack-answer.ts'
import type { SlackMessage } from './slack-message.ts'
import { MOST_WAITING, formSlackBatches } from './slack-policy.ts'

export const SLACK: ChannelKindOf<SlackChannel> = {
  open: (channel, context) => new SlackSender(channel, context),
  preview: (channel, batch, context) => {
    const render = messageRenderer(channel, context)
    return { text: asText(batch, render), body: JSON.parse(JSON.stringify(slackMessage(batch, render))), html: null }
  },
  outline: ({ url }) => [{ name: 'Posts to', value: new URL(url).origin }],
}

function asText(batch: Batch, render: RenderMessage): string {
  const messages = batch.map(({ event }) => render(event))
  return messages
    .map(({ sentence, facts, links = [] }) => [sentence, ...facts.map(factLine), ...links.map(linkLine)].join('\n'))
    .join('\n\n')
}

function linkLine({ label, url }: EventLink): string {
  return `${label}: ${url}`
}

const TOO_MANY_REQUESTS = 429

/** Messages to one incoming webhook: one for each event, or one for many that come together. */
class SlackSender implements Channel {
  readonly #context: ChannelContext
  readonly #receiver: Receiver
  readonly #channel: SlackChannel
  readonly batchPolicy: BatchPolicy = { most: MOST_WAITING, form: formSlackBatches }
  /** Slack counts the messages of a webhook, whoever posts them. */
  readonly address: string

  constructor(channel: SlackChannel, context: ChannelContext) {
    this.#context = context
    this.address = hash('sha256', new URL(channel.url).href)
    this.#channel = channel
    this.#receiver = new Receiver({ ...channel, tls: null, remedies: SYSTEM_TLS, secrets: channel.hidden }, context)
  }

  async send(batch: Batch, shutdown: AbortSignal): Promise<SendOutcome> {
    const { clock, version } = this.#context
    const headers = { 'user-agent': `shipbell/${version}`, 'content-type': 'application/json; charset=utf-8' }
    const body = Buffer.from(JSON.stringify(slackMessage(batch, messageRenderer(this.#channel, this.#context))))
    const outcome = await this.#receiver.post({ headers, body }, shutdown, (answer) =>
      judgeSlackAnswer(answer, this.#receiver.origin, clock.now()),
    )
    const isTooMany = outcome.kind === 'failed' && outcome.status === TOO_MANY_REQUESTS
    return isTooMany ? { ...outcome, cooldownOf: this.address } : outcome
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]()
  }
}

/** The message of a batch. */
function slackMessage([{ event }, ...more]: Batch, render: RenderMessage): SlackMessage {
  return more.length === 0
    ? eventMessage(event, render)
    : burstMessage([event, ...more.map((each) => each.event)], render)
}
