import type { Wording } from '../../../message/wording/wording.ts'
import { hash } from 'node:crypto'
import { factLines } from '../../../message/facts/fact.ts'
import type { EventLink } from '../../../model/event-link.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import type { ChannelSettings, PostedChat } from '../../../model/subscription.ts'
import type { Batch, BatchPolicy } from '../../batches.ts'
import type { ChannelKindOf } from '../channel-kind.ts'
import type { Channel, ChannelContext, SendOutcome } from '../channel.ts'
import { judgeAnswer } from '../judge-answer.ts'
import { messageRenderer, type RenderMessage } from '../message-renderer.ts'
import { Receiver, SYSTEM_TLS } from '../receiver.ts'
import type { ManyEvents } from '../told-entries.ts'
import { GATHERED_BY_KIND } from './gathering.ts'

/** A chat whose incoming webhook takes one JSON document for each message. */
interface Chat {
  readonly eventMessage: (event: ShipbellEvent, render: RenderMessage) => object
  readonly burstMessage: (events: ManyEvents, render: RenderMessage) => object
  /** What is posted to, where that is not the URL as configured. */
  readonly target?: (url: string) => string
  /** Default: any 2xx delivers. */
  readonly judge?: typeof judgeAnswer
}

type ChatSettings = Extract<ChannelSettings, PostedChat>

export function chatKind<S extends ChatSettings>(chat: Chat): ChannelKindOf<S> {
  return {
    open: (channel, context) => new ChatSender(chat, channel, context),
    preview: (channel, batch, context) => {
      const render = messageRenderer(channel, context)
      return {
        get text() {
          return asText(batch, render)
        },
        body: JSON.parse(bodyOf(chat, batch, render)),
        html: null,
      }
    },
    batchPolicy: () => GATHERED_BY_KIND,
    // Path and query are what lets one post.
    outline: ({ url }) => [{ name: 'Posts to', value: new URL(url).origin }],
  }
}

function bodyOf(chat: Chat, [{ event }, ...more]: Batch, render: RenderMessage): string {
  const message =
    more.length === 0
      ? chat.eventMessage(event, render)
      : chat.burstMessage([event, ...more.map((each) => each.event)], render)
  return JSON.stringify(message)
}

function asText(batch: Batch, render: RenderMessage): string {
  const messages = batch.map(({ event }) => render(event))
  return messages
    .map(({ sentence, facts, wording, links = [] }) =>
      [sentence, ...factLines(facts, wording), ...links.map((link) => linkLine(link, wording))].join('\n'),
    )
    .join('\n\n')
}

function linkLine({ label, url }: EventLink, { terms }: Wording): string {
  return `${label}${terms.colon}${url}`
}

const TOO_MANY_REQUESTS = 429

/** Messages to one incoming webhook: one for each event, or one for many that come together. */
class ChatSender implements Channel {
  readonly #chat: Chat
  readonly #context: ChannelContext
  readonly #receiver: Receiver
  readonly #channel: ChatSettings
  readonly batchPolicy: BatchPolicy = GATHERED_BY_KIND
  /** Chats count the messages of a webhook, whoever posts them. */
  readonly address: string

  constructor(chat: Chat, channel: ChatSettings, context: ChannelContext) {
    this.#chat = chat
    this.#context = context
    this.address = hash('sha256', new URL(channel.url).href)
    this.#channel = channel
    const url = chat.target?.(channel.url) ?? channel.url
    this.#receiver = new Receiver(
      { ...channel, url, tls: null, remedies: SYSTEM_TLS, secrets: channel.hidden },
      context,
    )
  }

  async send(batch: Batch, shutdown: AbortSignal): Promise<SendOutcome> {
    const { clock, version } = this.#context
    const { judge = judgeAnswer } = this.#chat
    const headers = { 'user-agent': `shipbell/${version}`, 'content-type': 'application/json; charset=utf-8' }
    const body = Buffer.from(bodyOf(this.#chat, batch, messageRenderer(this.#channel, this.#context)))
    const outcome = await this.#receiver.post({ headers, body }, shutdown, (answer) =>
      judge(answer, this.#receiver.origin, clock.now()),
    )
    const isTooMany = outcome.kind === 'failed' && outcome.status === TOO_MANY_REQUESTS
    return isTooMany ? { ...outcome, cooldownOf: this.address } : outcome
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]()
  }
}
