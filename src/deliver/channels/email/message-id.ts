import { hash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { Batch } from '../../batches.ts'

export interface MessageIdParts {
  /** Of `digest.2026-11-21` or an event's id. */
  readonly name: string
  readonly batch: Batch
  /** Whose domain the id is of. */
  readonly from: string
}

const HEX_DIGITS = 24

/**
 * The same for the same events of a subscription, however often they are sent and by whichever process: mail programs show a
 * repeat as the mail it repeats. Another set of events has another one, or they would hide it.
 */
export function messageId({ name, batch, from }: MessageIdParts): string {
  const [{ subscription }] = batch
  const content = [subscription, ...batch.map(({ event }) => event.id)].join('\n')
  const domain = domainToASCII(from.slice(from.lastIndexOf('@') + 1))
  return `<${name}.${hash('sha256', content).slice(0, HEX_DIGITS)}@${domain === '' ? 'shipbell.invalid' : domain}>`
}
