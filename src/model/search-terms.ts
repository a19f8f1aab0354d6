import { asText, field, isJsonArray, rawEqual, textField, type Json, type JsonObject } from './json.ts'
import type { RecordResource } from './resource.ts'
import { shipmentIdOf } from './shipment.ts'

/** The most terms of one record: what a person could still mean. More cost a write each. */
const MOST_TERMS = 200
const MOST_WORDS = 24
const LONGEST_TERM = 64
/** The longest text: nothing beyond it is looked at. */
const LONGEST_TEXT = 1_000

const PLAIN = /^[\u0020-\u007e]*$/
const GAPS = /[\s\p{Pd}]+/gu
/** Accents, and what nobody sees. */
const UNSEEN = /[\p{M}\p{Cf}\p{Cs}\p{Cc}]+/gu
const WORD = /[^\s\p{P}\p{S}]+/gu

/**
 * A text as it is searched: without case, accents, spaces and dashes, so that `MSCU 123456-7` finds `mscu1234567`. What is nothing
 * else is kept. A search finds the terms that begin with that of its text.
 */
export function searchTerm(text: string): string {
  const head = text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text
  const folded = PLAIN.test(head) ? head.toLowerCase() : fold(head)
  const compact = folded.replaceAll(GAPS, '')
  return cut(compact === '' ? folded.trim() : compact)
}

function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\s+/g, ' ').replaceAll(UNSEEN, '').toLowerCase()
}

function cut(text: string): string {
  return text.length > LONGEST_TERM ? text.slice(0, LONGEST_TERM).toWellFormed().replaceAll('\ufffd', '') : text
}

/** What a record is found by, each once, sorted: its id, what names it, its references and the shipments that it names. */
export function searchTermsOf(resource: RecordResource, id: string, record: JsonObject | null): readonly string[] {
  const terms = new Set<string>()
  const add = (text: string | null): void => {
    if (text === null || terms.size >= MOST_TERMS) return
    const term = searchTerm(text)
    if (term !== '') terms.add(term)
  }
  add(id)
  for (const text of referencesOf(resource, record ?? {})) add(text)
  for (const name of namesOf(resource, record ?? {})) for (const word of wordsOf(name)) add(word)
  return [...terms].toSorted()
}

/** Whether what is searched for is the same text for text in two readings of a record: then so are their terms, which cost more. */
export function haveSameTerms(resource: RecordResource, one: JsonObject, other: JsonObject): boolean {
  if (resource === 'shipment' && areNamedAlike(one, other)) return true
  return (
    areSame(namesOf(resource, one), namesOf(resource, other)) &&
    areSame(referencesOf(resource, one), referencesOf(resource, other))
  )
}

/** Hardly any change of a shipment is of its references: no list of them is made to see that. */
function areNamedAlike(one: JsonObject, other: JsonObject): boolean {
  return rawEqual(shipmentParts(one), shipmentParts(other))
}

function areSame(texts: readonly (string | null)[], others: readonly (string | null)[]): boolean {
  return texts.length === others.length && texts.every((text, index) => text === others[index])
}

/** A name from each of its words on: it is found by the beginning of any of them. */
function wordsOf(name: string): readonly string[] {
  const head = name.slice(0, LONGEST_TEXT)
  return [...head.matchAll(WORD)].slice(0, MOST_WORDS).map(({ index }) => head.slice(index))
}

function namesOf(resource: RecordResource, record: JsonObject): readonly string[] {
  const names = SEARCHED[resource].names.map((name) => textField(record, name))
  return names.filter((name) => name !== null)
}

function referencesOf(resource: RecordResource, record: JsonObject): readonly (string | null)[] {
  const { names, references } = SEARCHED[resource]
  return [...names.map((name) => textField(record, name)), ...references(record)]
}

interface Searched {
  /** The fields that name a record: each of their words finds it. */
  readonly names: readonly string[]
  readonly references: (record: JsonObject) => readonly (string | null)[]
}

const NO_REFERENCES = (): readonly never[] => []

const SEARCHED: Readonly<Record<RecordResource, Searched>> = {
  shipment: { names: ['name'], references: (record) => shipmentReferences(shipmentParts(record)) },
  tracking: { names: [], references: NO_REFERENCES },
  invoice: {
    names: [],
    references: (record) => [textField(record, 'reference'), textField(record, 'number'), shipmentIdOf(record, null)],
  },
  document: { names: ['name'], references: (record) => [shipmentIdOf(record, null)] },
  purchase_order: {
    names: ['supplier_name'],
    references: (record) => [textField(record, 'po_number'), ...orderReferences(record)],
  },
  location: { names: ['name', 'company_name'], references: NO_REFERENCES },
  order_preparation: {
    names: ['name'],
    references: (record) => [...textsOf(record, 'picking_references'), ...textsOf(record, 'commercial_invoice_ids')],
  },
}

/** All of a shipment that its names and references are read from. */
function shipmentParts(shipment: JsonObject) {
  return {
    name: field(shipment, 'name') ?? null,
    booking: field(shipment, 'booking_information') ?? null,
    orders: field(shipment, 'purchase_order_references') ?? null,
    containers: field(field(shipment, 'cargo'), 'containers') ?? null,
    invoices: field(shipment, 'invoice_references') ?? null,
    quote: field(shipment, 'accepted_quote') ?? null,
  }
}

/** The references in a shipment's parts, and in nothing else: two shipments with the same parts have the same references. */
function shipmentReferences(parts: ReturnType<typeof shipmentParts>): readonly (string | null)[] {
  const containers = some(parts.containers)
  return [
    textField(parts.booking, 'master_bill'),
    textField(parts.booking, 'house_bill'),
    textField(field(parts.booking, 'ocean_booking'), 'booking_number'),
    ...some(parts.orders).map(asText),
    ...containers.map((each) => textField(each, 'container_number')),
    ...some(parts.invoices).map(asText),
    textField(parts.quote, 'id'),
    ...containers.flatMap((each) => textsOf(each, 'purchase_order_references')),
  ]
}

function orderReferences(order: JsonObject): readonly (string | null)[] {
  const lines = someOf(order, 'purchase_order_lines')
  const assigned = lines.flatMap((line) => someOf(line, 'assigned_order_lines'))
  const shipments = assigned.map((each) => textField(each, 'platform_shipment_id'))
  return [...shipments, ...lines.map((line) => textField(line, 'reference'))]
}

function textsOf(record: Json | undefined, name: string): readonly (string | null)[] {
  return someOf(record, name).map(asText)
}

function someOf(record: Json | undefined, name: string): readonly Json[] {
  return some(field(record, name))
}

function some(values: Json | undefined): readonly Json[] {
  return isJsonArray(values) ? values.slice(0, MOST_TERMS) : []
}
