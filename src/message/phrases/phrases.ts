import type { EventType } from '../../model/event-catalogue.ts'
import { INVOICE_PHRASES, RECORD_PHRASES, TRACKING_PHRASES } from './record-phrases.ts'
import { EXPECTATION_PHRASES } from './expectation-phrases.ts'
import { SERVICE_PHRASES } from './service-phrases.ts'
import { SHIPMENT_PHRASES } from './shipment-phrases.ts'

/**
 * One sentence of every event type in plain English, for people, wherever they read it: a Liquid template over the payload, with `it` (the
 * subject's name), `data` and the filters of `message/words`. A type without one does not compile.
 */
const PHRASES: Readonly<Record<EventType, string>> = {
  ...SHIPMENT_PHRASES,
  ...TRACKING_PHRASES,
  ...INVOICE_PHRASES,
  ...RECORD_PHRASES,
  ...EXPECTATION_PHRASES,
  ...SERVICE_PHRASES,
}

/** For types that this version does not know. */
const UNKNOWN = '{{ it }}{{ data.changes | changed }}.'

export function phraseOf(type: string): string {
  const known: Readonly<Record<string, string>> = PHRASES
  return (Object.hasOwn(known, type) ? known[type] : undefined) ?? UNKNOWN
}
