import { asText, field, isJsonArray, textField, type Json, type JsonObject } from './json.ts'
import { portName } from './port-names.ts'
import type { RecordResource } from './resource.ts'
import { shipmentIdOf } from './shipment.ts'

/** The most texts of one list in a record, such as its containers. */
export const MOST_LISTED = 200

/** What a text of a record that people search for is. */
export type SearchedField =
  | 'id'
  | 'name'
  | 'number'
  | 'reference'
  | 'shipment'
  | 'order'
  | 'container'
  | 'master_bill'
  | 'house_bill'
  | 'booking'
  | 'invoice'
  | 'quote'
  | 'supplier'
  | 'company'
  | 'carrier'
  | 'vessel'
  | 'origin_port'
  | 'destination_port'

/** A text of a record that people search for. */
export interface SearchedText {
  readonly field: SearchedField
  readonly text: string
}

type MaybeText = readonly [field: SearchedField, text: string | null]

/**
 * `names`: what names the record, of which each word is looked up by its beginning; `references`: what is looked up whole; `shared`:
 * what many records have in common.
 */
export const SEARCHED_PARTS = ['names', 'references', 'shared'] as const

type SearchedPart = (typeof SEARCHED_PARTS)[number]

/** The texts of a part of what a record is found by, beside its id. */
export function textsOf(part: SearchedPart, resource: RecordResource, record: JsonObject): readonly string[] {
  const texts: string[] = []
  for (const [, text] of SEARCHED[resource][part](record)) if (text !== null) texts.push(text)
  return texts
}

/** Whether records of a resource share anything that they are found by. */
export function hasShared(resource: RecordResource): boolean {
  return SEARCHED[resource].shared !== NONE
}

/** Every text that a record is found by, as people read it; a port has its name beside its code. */
export function searchedTexts(
  resource: RecordResource,
  id: string,
  record: JsonObject | null,
): readonly SearchedText[] {
  const texts = SEARCHED_PARTS.flatMap((part) => SEARCHED[resource][part](record ?? {}))
  return [{ field: 'id', text: id }, ...texts.flatMap(([of, text]) => (text === null ? [] : [{ field: of, text }]))]
}

type Searched = Readonly<Record<SearchedPart, (record: JsonObject) => readonly MaybeText[]>>

const NONE = (): readonly never[] => []

const SEARCHED: Readonly<Record<RecordResource, Searched>> = {
  shipment: {
    names: (record) => [['name', textField(record, 'name')]],
    references: (record) => shipmentReferences(shipmentParts(record)),
    shared: (record) => sharedTexts(shipmentParts(record)),
  },
  tracking: { names: NONE, references: NONE, shared: NONE },
  invoice: {
    names: NONE,
    references: (record) => [
      ['reference', textField(record, 'reference')],
      ['number', textField(record, 'number')],
      ['shipment', shipmentIdOf(record, null)],
    ],
    shared: NONE,
  },
  document: {
    names: (record) => [['name', textField(record, 'name')]],
    references: (record) => [['shipment', shipmentIdOf(record, null)]],
    shared: NONE,
  },
  purchase_order: {
    names: (record) => [['supplier', textField(record, 'supplier_name')]],
    references: (record) => [['order', textField(record, 'po_number')], ...orderReferences(record)],
    shared: NONE,
  },
  location: {
    names: (record) => [
      ['name', textField(record, 'name')],
      ['company', textField(record, 'company_name')],
    ],
    references: NONE,
    shared: NONE,
  },
  order_preparation: {
    names: (record) => [['name', textField(record, 'name')]],
    references: (record) => [
      ...listed(record, 'picking_references', 'reference'),
      ...listed(record, 'commercial_invoice_ids', 'invoice'),
    ],
    shared: NONE,
  },
}

/** All of a shipment that its texts are read from, and nothing else: two shipments with the same parts have the same texts. */
export function shipmentParts(shipment: JsonObject) {
  return {
    name: field(shipment, 'name') ?? null,
    booking: field(shipment, 'booking_information') ?? null,
    orders: field(shipment, 'purchase_order_references') ?? null,
    containers: field(field(shipment, 'cargo'), 'containers') ?? null,
    invoices: field(shipment, 'invoice_references') ?? null,
    quote: field(shipment, 'accepted_quote') ?? null,
    route: field(shipment, 'route') ?? null,
  }
}

type ShipmentParts = ReturnType<typeof shipmentParts>

function shipmentReferences(parts: ShipmentParts): readonly MaybeText[] {
  const containers = some(parts.containers)
  return [
    ['master_bill', textField(parts.booking, 'master_bill')],
    ['house_bill', textField(parts.booking, 'house_bill')],
    ['booking', textField(field(parts.booking, 'ocean_booking'), 'booking_number')],
    ...some(parts.orders).map((each): MaybeText => ['order', asText(each)]),
    ...containers.map((each): MaybeText => ['container', textField(each, 'container_number')]),
    ...some(parts.invoices).map((each): MaybeText => ['invoice', asText(each)]),
    ['quote', textField(parts.quote, 'id')],
    ...containers.flatMap((each) => listed(each, 'purchase_order_references', 'order')),
  ]
}

function sharedTexts({ booking, route }: ShipmentParts): readonly MaybeText[] {
  return [
    ['carrier', textField(booking, 'carrier')],
    ['vessel', textField(field(booking, 'ocean_booking'), 'vessel')],
    ['origin_port', portOf(textField(route, 'origin_port_unlocode'))],
    ['destination_port', portOf(textField(route, 'destination_port_unlocode'))],
  ]
}

/** `Shanghai (CNSHA)`. */
function portOf(unlocode: string | null): string | null {
  const name = unlocode === null ? null : portName(unlocode)
  return name === null ? unlocode : `${name} (${unlocode})`
}

function orderReferences(order: JsonObject): readonly MaybeText[] {
  const lines = some(field(order, 'purchase_order_lines'))
  const assigned = lines.flatMap((line) => some(field(line, 'assigned_order_lines')))
  return [
    ...assigned.map((each): MaybeText => ['shipment', textField(each, 'platform_shipment_id')]),
    ...lines.map((line): MaybeText => ['reference', textField(line, 'reference')]),
  ]
}

function listed(record: Json | undefined, name: string, of: SearchedField): readonly MaybeText[] {
  return some(field(record, name)).map((each): MaybeText => [of, asText(each)])
}

function some(values: Json | undefined): readonly Json[] {
  return isJsonArray(values) ? values.slice(0, MOST_LISTED) : []
}
