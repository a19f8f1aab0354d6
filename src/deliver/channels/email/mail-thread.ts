import { hash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { ShipbellEvent } from '../../../model/event.ts'
import { asText, field } from '../../../model/json.ts'
import type { Batch } from '../../batches.ts'

const HEX_DIGITS = 24

interface MessageIdParts {
  /** What the mail is about: `digest.2026-11-21`, an event's id or `thread`. */
  readonly name: string
  /** What the id is of, the subscription first. */
  readonly content: readonly string[]
  /** The sender, whose domain the id has. */
  readonly from: string
}

/**
 * The same for the same content, however often it is sent and by whichever process: mail programs show a repeat as the mail it
 * repeats. Other content has another one, or they would hide it. Nothing of a record stands in it but the id of an event.
 */
export function messageId({ name, content, from }: MessageIdParts): string {
  return `<${name}.${hash('sha256', content.join('\n')).slice(0, HEX_DIGITS)}@${domainOf(from)}>`
}

/**
 * The root of the thread of a mail, which no mail has: programs that know `References` (RFC 5322 3.6.4) show what names it
 * together, whichever came first. Mails of one subscription about one shipment, with what belongs to it, are a thread, and so
 * are those about another subject. null: the mail is about several.
 */
export function threadRoot(batch: Batch, from: string): string | null {
  const [{ subscription }] = batch
  const [subject, ...others] = new Set(batch.map(({ event }) => threadOf(event)))
  if (subject === undefined || others.length > 0) return null
  return messageId({ name: 'thread', content: [subscription, subject], from })
}

function threadOf({ account, shipment, subject, object }: ShipbellEvent): string {
  const owner = shipment?.id ?? asText(field(object ?? undefined, 'platform_shipment_id'))
  return JSON.stringify(owner === null ? [account, subject.resource, subject.id] : [account, 'shipment', owner])
}

/** By which people sort what a subscription sends (RFC 2919). */
export function listId(subscription: string, from: string): string {
  return `<${subscription}.shipbell.${domainOf(from)}>`
}

function domainOf(from: string): string {
  const domain = domainToASCII(from.slice(from.lastIndexOf('@') + 1))
  return domain === '' ? 'shipbell.invalid' : domain
}
