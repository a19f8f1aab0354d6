import type { Clock } from '../../clock.ts'
import type { EventLink } from '../../model/event-link.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import type { TemplateFailure } from '../../model/message-template.ts'
import type { Resolve } from '../../http/names/name-resolver.ts'
import type { OwnLimit } from '../../model/own-limit.ts'
import type { ExceptionStore } from '../../store/ports/exception-port.ts'
import type { LivingMessageStore } from '../../store/ports/living-message-port.ts'
import type { BatchPolicy, Batch } from '../batches.ts'
import type { RenderedBodies } from '../rendered-bodies.ts'

/**
 * What one attempt came to. `status` and `answer` (the beginning of the body, redacted) are null where none arrived. `parts`: the
 * batch was sent in parts, which fared by themselves; the outcome is that of the first.
 */
export type SendOutcome = PartOutcome & { readonly parts?: readonly SentPart[] }

/** A part of a batch that was sent in parts. */
export interface SentPart {
  readonly batch: Batch
  readonly outcome: PartOutcome
}

/** `progress`: what the next attempt has to know of this one; left out: what was known before. */
type PartOutcome = Came & { readonly progress?: string }

type Came =
  | {
      readonly kind: 'delivered'
      readonly status: number
      readonly answer: string | null
      /** Who of several readers was refused for good, in one sentence. The others have the mail. */
      readonly refused?: string
    }
  | {
      readonly kind: 'failed'
      readonly status: number | null
      readonly answer: string | null
      /** One sentence. */
      readonly error: string
      /** A floor for the next attempt, from now. */
      readonly retryAfterMs: number | null
      /** What was sent is refused for good: no attempt will fare better, and the endpoint takes other things. */
      readonly permanent?: true
      /** Nothing was sent, because of the event and what is configured: the attempt says nothing of the endpoint. */
      readonly unsent?: true
      /**
       * Whether a message that is refused for good is so for what it says, so that a part of it may fare better. Nobody got
       * any of it.
       */
      readonly divisible?: true
      /** The `address` of the channel: everything that is sent there has to wait for `retryAfterMs`. */
      readonly cooldownOf?: string
      /** Whether some readers of the message have it by now: the attempt says nothing against the endpoint. */
      readonly partly?: true
    }
  /** The endpoint asks to be left alone for good. */
  | { readonly kind: 'gone'; readonly status: number; readonly answer: string | null; readonly error: string }
  /** No attempt: shutdown cut it before its fate was known, or `lacks` is what this process or machine had none left of. */
  | { readonly kind: 'cut'; readonly lacks?: OwnLimit }

/** At most `requests` in any window of `perMs`. */
export interface Pace {
  readonly requests: number
  readonly perMs: number
}

/** The way to one subscription's endpoint. Disposing of it drops its connections. */
export interface Channel extends AsyncDisposable {
  readonly batchPolicy: BatchPolicy
  /**
   * Stands for what it sends to, without showing it, where that may ask to be left alone. Channels with the same address have
   * one cooldown, which does not bind tests and what commands send.
   */
  readonly address?: string
  /** How fast the endpoint itself wants events, once it has said so. */
  readonly pace?: Pace | null
  /**
   * One attempt, whose outcome is that of every delivery in the batch. Never throws for what the endpoint or the network
   * does; `signal` cuts it short.
   */
  send(batch: Batch, signal: AbortSignal): Promise<SendOutcome>
}

/** What a store knows of messages that are kept up to date. */
export type LivingSource = LivingMessageStore & Pick<ExceptionStore, 'exceptionPage'>

export interface ChannelContext {
  readonly clock: Clock
  readonly version: string
  /** CIDRs of private and loopback networks that may be dialled. */
  readonly allowNetworks: readonly string[]
  /** Configured secrets beyond the channel's own, for redaction. */
  readonly secrets: () => readonly string[]
  /** Messages that are kept up to date, and what stands open in them; left out: none is kept up to date. */
  readonly living?: LivingSource | undefined
  /** Shared by all channels. */
  readonly bodies: RenderedBodies
  /** Where people read more about an event; left out: nowhere. */
  readonly links?: ((event: ShipbellEvent) => readonly EventLink[]) | undefined
  /** The time zone of an account, for readers without one of their own; left out, or null: UTC. */
  readonly zoneOf?: ((account: string | null) => string | null) | undefined
  /** Called for a template that failed on an event; the built-in message is sent instead. */
  readonly templateFailed?: (failure: TemplateFailure) => void
  /** Default: the process's. */
  readonly resolve?: Resolve
}
