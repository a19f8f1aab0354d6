import type { Deadline } from '../../../http/deadline.ts'
import { field, textField, type Json } from '../../../model/json.ts'
import type { SlackApp, SlackChannel } from '../../../model/subscription.ts'
import type { ChannelContext } from '../channel.ts'
import type { HttpAnswer } from '../judge-answer.ts'
import { Receiver, SYSTEM_TLS } from '../receiver.ts'

/** An answer of the Web API holds the message that was posted, or a page of a history. */
const MOST_READ = 4 * 1024 * 1024
/** Messages of a page of a history: Slack may give fewer. */
const PAGE = 100

/** What is posted or changed. */
export type ApiMessage = Readonly<Record<string, unknown>>

/** A message that a history shows. */
export interface FoundMessage {
  readonly ts: string
  readonly metadata: Json
  readonly blocks: Json
}

/** A page of a history, as it was answered. */
interface HistoryQuery {
  readonly method: 'conversations.history' | 'conversations.replies'
  readonly channel: string
  /** The thread that is looked through. */
  readonly ts?: string
  /** From when on, in milliseconds since the Unix epoch. */
  readonly since: number
}

/** The methods of Slack's Web API that are called, over guarded connections of their own. */
export class SlackApi implements AsyncDisposable {
  readonly #receiver: Receiver
  readonly #app: SlackApp
  readonly #path: string
  readonly #agent: string

  constructor(channel: SlackChannel, app: SlackApp, context: ChannelContext) {
    this.#app = app
    this.#agent = `shipbell/${context.version}`
    this.#path = new URL(channel.url).pathname.replace(/\/$/, '')
    const target = { ...channel, tls: null, remedies: SYSTEM_TLS, secrets: channel.hidden, readBytes: MOST_READ }
    this.#receiver = new Receiver(target, context)
  }

  get origin(): string {
    return this.#receiver.origin
  }

  /** The name of the server, with the way to it. */
  get server(): string {
    return this.#receiver.server
  }

  get closing(): AbortSignal {
    return this.#receiver.closing
  }

  /** Writes a message. What Slack may have taken is not sent again by itself; rejects where no answer came. */
  async write(
    method: 'chat.postMessage' | 'chat.update',
    message: ApiMessage,
    deadline: Deadline,
  ): Promise<HttpAnswer> {
    const headers = { ...this.#headers, 'content-type': 'application/json; charset=utf-8' }
    const body = Buffer.from(JSON.stringify(message))
    const idempotent = method === 'chat.update'
    return await this.#receiver.exchange(
      { method: 'POST', path: this.#pathOf(method), headers, body, idempotent },
      deadline,
    )
  }

  /** One page of a history; `cursor`: '' for the newest. */
  async look({ channel, method, since, ts }: HistoryQuery, cursor: string, deadline: Deadline): Promise<HttpAnswer> {
    const query = new URLSearchParams({
      channel,
      ...(ts !== undefined && { ts }),
      oldest: String(Math.max(0, Math.floor(since / 1_000))),
      limit: String(PAGE),
      include_all_metadata: 'true',
      ...(cursor !== '' && { cursor }),
    })
    const path = `${this.#pathOf(method)}?${query.toString()}`
    return await this.#receiver.exchange({ method: 'GET', path, headers: this.#headers, body: null }, deadline)
  }

  explain(error: unknown): string {
    return this.#receiver.explain(error)
  }

  get #headers(): Readonly<Record<string, string>> {
    return { 'user-agent': this.#agent, authorization: `Bearer ${this.#app.token}`, accept: 'application/json' }
  }

  #pathOf(method: string): string {
    return `${this.#path}/${method}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]()
  }
}

/** Where the next page of a history begins; '': this was the last one. */
export function nextCursor(answer: Json): string {
  return textField(field(answer, 'response_metadata'), 'next_cursor') ?? ''
}
