import type { EventType } from '../../model/event-catalogue.ts'
import { INVOICE_PHRASES, RECORD_PHRASES, TRACKING_PHRASES } from './record-phrases.ts'
import { EXPECTATION_PHRASES } from './expectation-phrases.ts'
import type { Phrase } from './phrase.ts'
import { SERVICE_PHRASES } from './service-phrases.ts'
import { SHIPMENT_PHRASES } from './shipment-phrases.ts'

/** The sentence of every event type, for people, wherever they read it. A type without one does not compile. */
const PHRASES: Readonly<Record<EventType, Phrase>> = {
  ...SHIPMENT_PHRASES,
  ...TRACKING_PHRASES,
  ...INVOICE_PHRASES,
  ...RECORD_PHRASES,
  ...EXPECTATION_PHRASES,
  ...SERVICE_PHRASES,
}

/** For types that this version does not know. */
const UNKNOWN: Phrase = { say: '{{ it }}{{ data.changes | changed }}.', tone: 'neutral' }

export function phraseOf(type: string): Phrase {
  const known: Readonly<Record<string, Phrase>> = PHRASES
  return (Object.hasOwn(known, type) ? known[type] : undefined) ?? UNKNOWN
}
