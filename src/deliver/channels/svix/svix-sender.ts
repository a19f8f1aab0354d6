import { Deadline } from '../../../http/deadline.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import { payloadBody, type ShownDelivery, subscriberDocument } from '../../../model/payload.ts'
import type { SvixChannel } from '../../../model/subscription.ts'
import { ONE_BY_ONE, type Batch } from '../../batches.ts'
import { late, unanswered, withinDeadline } from '../within-deadline.ts'
import { type ChannelKindOf, documentPreview } from '../channel-kind.ts'
import type { Channel, ChannelContext, SendOutcome } from '../channel.ts'
import { judgeFailure, judgeMessage, type SvixAnswer } from './judge-svix.ts'
import { Ensured, svixNeeds, type SvixNeed } from './svix-needs.ts'
import { SvixServer } from './svix-server.ts'

export const SVIX: ChannelKindOf<SvixChannel> = {
  open: (channel, context) => new SvixSender(channel, context),
  preview: (_channel, [{ event }]) => documentPreview(payloadBody(event)),
  outline: ({ server }) => [{ name: 'Sends through', value: new URL(server).origin }],
}

/**
 * Messages of one application of a Svix server, which signs and delivers them. The event's id is the message's `eventId`, so
 * a repeat is known there and delivers nothing twice.
 */
class SvixSender implements Channel {
  readonly batchPolicy = ONE_BY_ONE
  readonly #channel: SvixChannel
  readonly #context: ChannelContext
  readonly #server: SvixServer
  readonly #ensured = new Ensured()

  constructor(channel: SvixChannel, context: ChannelContext) {
    this.#channel = channel
    this.#context = context
    this.#server = new SvixServer(channel, context)
  }

  async send([delivery]: Batch, shutdown: AbortSignal): Promise<SendOutcome> {
    const { timeoutMs } = this.#channel
    return await withinDeadline(
      { clock: this.#context.clock, timeoutMs, shutdown, server: this.#server.origin },
      async (deadline) => await this.#deliver(delivery, deadline),
      (error) => this.#explain(error),
    )
  }

  async #deliver(delivery: ShownDelivery, deadline: Deadline): Promise<SendOutcome> {
    const { event } = delivery
    const refusal = await this.#prepare(event, deadline)
    if (refusal !== null) return judgeFailure(refusal, this.#judging)
    const answer = await this.#create(delivery, deadline)
    if (!lacksSomething(answer)) return await this.#judge(event, answer, deadline)
    for (const { purpose } of svixNeeds(this.#channel.app, event.type)) this.#ensured.forget(purpose)
    const second = await this.#prepare(event, deadline)
    if (second !== null) return judgeFailure(second, this.#judging)
    return await this.#judge(event, await this.#create(delivery, deadline), deadline)
  }

  /** Makes what a message of this event needs; null once all is there. */
  async #prepare(event: ShipbellEvent, deadline: Deadline): Promise<SvixAnswer | null> {
    for (const need of svixNeeds(this.#channel.app, event.type)) {
      const { purpose } = need
      const refusal = await deadline.race(this.#ensured.ensure(purpose, async () => await this.#askForAll(need)))
      if (refusal !== null) return { answer: refusal, purpose }
    }
    return null
  }

  /** Several attempts may wait for it, so none of them may cut it: it has a deadline of its own. */
  async #askForAll({ call, refresh }: SvixNeed): ReturnType<SvixServer['ask']> {
    const { closing } = this.#server
    const { timeoutMs } = this.#channel
    using deadline = new Deadline({ clock: this.#context.clock, timeoutMs, signal: closing })
    const answer = await this.#server.ask(call, deadline)
    // What stays as it was keeps no message back.
    if (answer.status === 409 && refresh !== undefined) await this.#server.ask(refresh, deadline).catch(() => undefined)
    return answer
  }

  async #create(delivery: ShownDelivery, deadline: Deadline): Promise<SvixAnswer> {
    const { id, type, account } = delivery.event
    const message = {
      eventId: id,
      eventType: type,
      payload: subscriberDocument(delivery),
      ...(account === null ? {} : { channels: [account] }),
    }
    const answer = await this.#server.ask(
      async (svix) => await svix.message.create(this.#channel.app, message),
      deadline,
    )
    return { answer, purpose: 'the message' }
  }

  async #judge(event: ShipbellEvent, created: SvixAnswer, deadline: Deadline): Promise<SendOutcome> {
    if (created.answer.status !== 409) return judgeMessage(created, this.#judging)
    return await this.#confirm(event, created, deadline)
  }

  /**
   * 409: the `eventId` is taken, by an earlier attempt whose answer was lost, unless Svix keeps them unique across applications
   * and another subscription's is meant. So the application is asked for it.
   */
  async #confirm({ id }: ShipbellEvent, { answer }: SvixAnswer, deadline: Deadline): Promise<SendOutcome> {
    const { app } = this.#channel
    const found = await this.#server.ask(async (svix) => await svix.message.get(app, id), deadline)
    const verdict = judgeMessage({ answer: found, purpose: `the message it has as ${id}` }, this.#judging)
    const { status, body } = answer
    if (verdict.kind === 'delivered') return { kind: 'delivered', status, answer: body }
    if (found.status !== 404) return verdict
    const error = `${this.#server.origin} answered 409, but the application ${app} has no message ${id}: another application of the same Svix environment has taken this eventId; give each an environment of its own`
    return { kind: 'failed', status, answer: body, error, retryAfterMs: null }
  }

  get #judging(): { readonly origin: string; readonly now: number } {
    return { origin: this.#server.origin, now: this.#context.clock.now() }
  }

  #explain(error: unknown): SendOutcome {
    if (this.#server.closing.aborted) return { kind: 'cut' }
    if (isCut(error)) return late(this.#server.origin, this.#channel.timeoutMs)
    return unanswered(this.#server.explain(error))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]()
  }
}

/** Svix has no such application (404), or no such event type: somebody removed it since it was ensured. */
function lacksSomething({ answer: { status, body } }: SvixAnswer): boolean {
  return status === 404 || ((status === 400 || status === 422) && /event[ _-]?type/i.test(body ?? ''))
}

/** What this attempt waited for had reached the deadline of its own. */
function isCut(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
