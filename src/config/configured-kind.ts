import type { z } from 'zod'
import type { MessageTemplates } from '../model/message-template.ts'
import type { ChannelSettings, DeliveryOrder, MailServer, Subscription } from '../model/subscription.ts'

/** The keys that every subscription has and that channels look at. */
export interface CommonKeys {
  readonly timeout: number
  readonly concurrency: number
  readonly order: DeliveryOrder
}

/** What of the rest of the file goes into a channel. */
export interface Surroundings {
  /** Where mail goes, and how. */
  readonly mailServer: MailServer
  readonly templates: MessageTemplates
  /** What came from variables and files below a key of the subscription. */
  readonly drawn: (key: string) => readonly string[]
}

interface Misfit {
  /** The key at which it is reported. */
  readonly key: string
  readonly message: string
}

/** What may be known of a kind of channel without knowing its keys. */
export interface KindRules<S extends ChannelSettings> {
  /** The key of a subscription that chooses it: one, optional. */
  readonly chosenBy: z.ZodRawShape
  /** The keys that mean something for it, beside those of every subscription: optional, or with a default. */
  readonly own: z.ZodRawShape
  /** The channel's own keys that must be there. */
  readonly needs?: readonly string[]
  /** Keys of every subscription that are not for this kind, each with the sentence that refuses it. */
  readonly refuses?: Readonly<Record<string, string>>
  /** A key of the top level without which it cannot be, with the sentence that asks for it. */
  readonly relies?: Misfit
  /** What a subscription names for it to dial, and where below the subscription; null where the guard has no say. */
  readonly dials: { readonly at: readonly string[]; readonly url: (channel: S) => string } | null
  /** How fast the channel is tried where the subscription says nothing of that; left out: as fast as it goes. */
  readonly rate?: Subscription['rate']
}

/** What keys are read as; of no keys, anything. */
export type OutputOf<S extends z.ZodRawShape> = keyof S extends never ? unknown : z.output<z.ZodObject<S>>

/** A kind of channel as the configuration knows it: its keys, its rules, and the settings that come of them. */
export interface ConfiguredKind<
  S extends ChannelSettings,
  C extends z.ZodRawShape,
  O extends z.ZodRawShape,
> extends KindRules<S> {
  readonly chosenBy: C
  readonly own: O
  /** The settings; null where the keys do not choose this kind. */
  readonly build: (keys: CommonKeys & OutputOf<C> & OutputOf<O>, around: Surroundings) => S | null
  /** A rule between keys that does not hold, judged where every single key is right. */
  readonly misfit?: (keys: CommonKeys & OutputOf<C> & OutputOf<O>) => Misfit | null
}

/** Infers what a kind is made of. */
export function configuredKind<S extends ChannelSettings, C extends z.ZodRawShape, O extends z.ZodRawShape>(
  kind: ConfiguredKind<S, C, O>,
): ConfiguredKind<S, C, O> {
  return kind
}
