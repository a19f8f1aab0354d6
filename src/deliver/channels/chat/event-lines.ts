import type { Fact } from '../../../message/facts/fact.ts'
import type { Message } from '../../../message/message.ts'
import type { ShipbellEvent } from '../../../model/event.ts'
import { sizeOf } from './inert-text.ts'

/** What an event is, when it was seen, and its id. */
export function aboutLine(message: Message, event: ShipbellEvent): string {
  return `${message.type} · ${message.seen} · ${event.id}`
}

/** What a notification says: the news; the whole sentence, where that is all. */
export function newsOf({ sentence, title }: Pick<Message, 'sentence' | 'title'>): string {
  return sentence.startsWith(title) ? sentence : title
}

/** A fact with a label. */
export interface Labelled {
  readonly label: string
  readonly value: string
}

/** The facts that have labels, and the lines that speak for themselves; without those that are beyond `most`. */
export function factsWithin(
  facts: readonly Fact[],
  most: number,
): { readonly labelled: readonly Labelled[]; readonly lines: readonly string[] } {
  const labelled: Labelled[] = []
  const lines: string[] = []
  let size = 0
  for (const { label, value } of facts) {
    size += sizeOf(`${label ?? ''}${value}`)
    if (size > most) continue
    if (label === null) lines.push(value)
    else labelled.push({ label, value })
  }
  return { labelled, lines }
}
