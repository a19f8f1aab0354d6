import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../clock.ts'
import type { Subscription } from '../model/subscription.ts'
import { afterTry, CLOSED, recalled, type Circuit, type TryKind } from '../plan/circuit.ts'
import type { Cooldown } from '../model/attempt-result.ts'
import type { ClaimLimit, EndpointLoad, WaitingDelivery } from '../store/ports/delivery-port.ts'
import {
  availability,
  delayUntil,
  notAfter,
  type Available,
  type BatchDelay,
  type SendingState,
} from './availability.ts'
import type { Batch, FormedBatches } from './batches.ts'
import type { Pace, SendOutcome } from './channels/channel.ts'
import type { Cooldowns, Endpoint } from './endpoint.ts'
import { RateLimit } from './rate-limit.ts'
import type { SteadyTime } from './steady-time.ts'

const REST_MS = 1_000

/** An attempt under way. */
export interface BegunAttempt {
  readonly kind: TryKind
  readonly isProbe: boolean
}

export interface AttemptEnd {
  /** Whether the endpoint took the message; null: the outcome says nothing about the endpoint. */
  readonly delivered: boolean | null
  /** What the answer asks of everything that is sent to the address. */
  readonly cooldown: Cooldown | null
  /** When the first of the attempt's deliveries is due again. */
  readonly repeatAt: number | null
  readonly endedAt: number
}

export interface FormContext {
  readonly now: number
  /** How many batches may go. */
  readonly places: number
  readonly forced: boolean
  readonly time: Pick<SteadyTime, 'whenShown'>
  readonly clock: Pick<Clock, 'now'>
}

/** What a channel that gathers makes of what waits for it. */
export interface Formed {
  /** The batches that have a place. */
  readonly batches: readonly Batch<WaitingDelivery>[]
  /** What goes as soon as there is a place. */
  readonly placeless: readonly WaitingDelivery[]
  readonly deferred: NonNullable<FormedBatches<WaitingDelivery>['deferred']>
}

/**
 * What a process knows of one subscription: the way to its endpoint, and all that decides how much may go now. It outlives
 * reloads. For a subscription that is no longer configured it keeps what is under way.
 */
export class SubscriptionRuntime {
  readonly #cooldowns: Cooldowns
  /** The endpoint as it is configured; null: it is not, or its channel could not be opened. */
  #endpoint: Endpoint | null = null
  #server = ''
  #concurrency = 0
  #inFlight = 0
  #forwarded = 0
  #configured: Pace | null = null
  #rate: RateLimit | null = null
  #delay: BatchDelay | null = null
  #restsUntil = Number.NEGATIVE_INFINITY
  #hasTaken = false
  #askedAt: number | null = null
  #circuit: Circuit = CLOSED
  /** How many rows wait, as of a short while ago; null: not known, ask the store. */
  #pending: number | null = null

  /** `cooldowns` are those of all subscriptions: several may send to one address. */
  constructor(cooldowns: Cooldowns) {
    this.#cooldowns = cooldowns
  }

  /** Follows a reload. Another endpoint is tried as if nothing were known; attempts under way end on the old one. */
  async configure({ channel, rate }: Subscription, open: () => Endpoint): Promise<void> {
    this.#concurrency = channel.concurrency
    this.#configured = rate
    if (!isDeepStrictEqual(this.#endpoint?.settings, channel)) await this.#replace(open())
    this.#keepToRate()
  }

  /** An endpoint that wants events more slowly than is configured gets them so. */
  #keepToRate(): void {
    const rate = slower(this.#configured, this.#endpoint?.pace ?? null)
    if (rate === null) this.#rate = null
    else if (!isDeepStrictEqual(this.#rate?.rate, rate)) this.#rate = new RateLimit(rate, this.#rate)
  }

  /** The subscription is no longer configured, or the networks that may be dialled have changed. */
  async retire(): Promise<void> {
    await this.#replace(null)
  }

  async #replace(endpoint: Endpoint | null): Promise<void> {
    const before = this.#endpoint
    this.#endpoint = endpoint
    this.#server = endpoint === null ? '' : serverOf(endpoint.settings)
    this.#delay = null
    this.#circuit = CLOSED
    this.#hasTaken = false
    await before?.retire()
  }

  /** Whether the endpoint is probed, or starts slowly, where much waits: then the backlog has to be known. */
  get isRestrained(): boolean {
    return this.#isOpen || this.#circuit.places !== null
  }

  get #isOpen(): boolean {
    return this.#circuit.open !== null
  }

  get isBacklogKnown(): boolean {
    return this.#pending !== null
  }

  /** What an earlier process saw. */
  recall({ failuresInARow, pending }: EndpointLoad): void {
    this.#circuit = recalled(failuresInARow)
    this.#pending = pending
  }

  /** What the store knows by now. A command that enables an endpoint forgets its failures. */
  follow({ failuresInARow, pending }: EndpointLoad): void {
    if (failuresInARow === 0 && this.#isOpen) this.#circuit = CLOSED
    this.#pending = pending
  }

  /** When a person asked last for a row of it; null: nobody did. An endpoint that is probed is then tried at once. */
  probeAsked(at: number | null): void {
    const isNews = at !== this.#askedAt
    this.#askedAt = at
    const { open } = this.#circuit
    if (isNews && open !== null) this.#circuit = { ...this.#circuit, open: { ...open, probes: 0 } }
  }

  /** What may go now, and when next. */
  available(now: number, forced: boolean): Available {
    if (now < this.#restsUntil) {
      const until = this.#restsUntil
      return { places: 0, forward: 0, waits: { for: 'limit', until, lookAt: until } }
    }
    const state: SendingState = {
      concurrency: this.#concurrency,
      inFlight: this.#inFlight,
      forwarded: this.#forwarded,
      rate: this.#rate,
      delay: this.#delay,
      circuit: this.#circuit,
      pending: this.#pending ?? 0,
    }
    return availability(state, now, forced)
  }

  /** What all workers keep to. */
  get limit(): ClaimLimit {
    return { concurrency: this.#concurrency, rate: this.#rate?.rate ?? null, address: this.#endpoint?.address ?? null }
  }

  /** How many deliveries the channel looks at to make batches; null: each is sent as it comes. */
  get looksAt(): number | null {
    return this.#endpoint?.looksFirst === true ? this.#endpoint.batchPolicy.most : null
  }

  /** The batches that its channel makes of what waits. If it makes none yet, nothing may go before an instant. */
  form(waiting: readonly WaitingDelivery[], { now, places, forced, time, clock }: FormContext): Formed {
    const endpoint = this.#endpoint
    if (endpoint === null) return { batches: [], placeless: [], deferred: [] }
    const coolingUntil = forced ? null : this.#cooldowns.until(endpoint.address, now)
    const awake = coolingUntil === null ? waiting : waiting.filter(({ event }) => event.cause === 'test')
    const { batches, waitUntil, deferred = [] } = endpoint.batchPolicy.form(awake, { now: clock.now(), forced })
    const placeless = batches.slice(places).flat()
    const idleUntil = coolingUntil ?? (waitUntil === null ? null : time.whenShown(waitUntil))
    if (!forced) this.#delay = delayUntil(placeless.length > 0 ? null : idleUntil, now)
    return { batches: batches.slice(0, places), placeless, deferred }
  }

  begin([{ attempts, resumesAt }]: Batch, now: number): BegunAttempt {
    const kind = (resumesAt ?? 0) > now ? 'forwarded' : attempts === 0 ? 'first' : 'retry'
    this.#inFlight += 1
    if (kind === 'forwarded') this.#forwarded += 1
    this.#rate?.begin()
    return { kind, isProbe: this.#isOpen }
  }

  /** The edge where an attempt's unexpected error ends: it fails this attempt and nothing else. */
  async send(batch: Batch, signal: AbortSignal): Promise<SendOutcome> {
    try {
      const outcome = (await this.#endpoint?.send(batch, signal)) ?? { kind: 'cut' }
      this.#keepToRate()
      return outcome
    } catch (error) {
      const reason = `Shipbell could not send event ${batch[0].event.id}: ${String(error)}`
      return { kind: 'failed', status: null, answer: null, error: reason, retryAfterMs: null }
    }
  }

  /** An attempt found something of our own used up: the next is made a little later. */
  rest(now: number): void {
    this.#restsUntil = now + REST_MS
  }

  /**
   * What the last attempt of this process says of the endpoint: that it failed, or took the event; `unproven`: none has ended
   * yet.
   */
  get trust(): 'proven' | 'unproven' | 'doubtful' {
    if (this.#circuit.evidence > 0 || this.#isOpen) return 'doubtful'
    return this.#hasTaken ? 'proven' : 'unproven'
  }

  /** Where the subscription sends to, as far as others may send there, too. */
  get server(): string {
    return this.#server
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** The attempt has ended. It keeps its place until its outcome is settled. */
  end({ kind, isProbe }: BegunAttempt, { delivered, cooldown, repeatAt, endedAt }: AttemptEnd): void {
    if (kind === 'forwarded') this.#forwarded -= 1
    this.#rate?.end(endedAt)
    if (cooldown !== null) this.#cooldowns.begin(cooldown)
    if (repeatAt !== null) this.#delay = notAfter(this.#delay, repeatAt)
    if (delivered === null) return
    this.#hasTaken = delivered
    const wasOpen = this.#isOpen
    this.#circuit = afterTry(this.#circuit, { kind, isProbe, delivered, endedAt, concurrency: this.#concurrency })
    if (this.#isOpen && !wasOpen) this.#pending = null
  }

  settled(): void {
    this.#inFlight -= 1
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endpoint?.[Symbol.asyncDispose]()
  }
}

function slower(one: Pace | null, other: Pace | null): Pace | null {
  if (one === null || other === null) return one ?? other
  return one.requests / one.perMs <= other.requests / other.perMs ? one : other
}

function serverOf(settings: Subscription['channel']): string {
  if ('url' in settings) return new URL(settings.url).origin
  return 'server' in settings ? settings.server : ''
}
