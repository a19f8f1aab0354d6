import { field, textField, type JsonObject } from './json.ts'
import type { RecordResource } from './resource.ts'

/** What a list shows of a record's content. */
export interface RecordOutline {
  readonly name: string | null
  readonly status: string | null
  /** Of a shipment. */
  readonly carrier: string | null
  /** Of a shipment: UN/LOCODEs of the ports, from and to: `CNSHA → NLRTM`. */
  readonly lane: string | null
}

/** Longer texts are cut: the record itself has them whole. */
const LONGEST = 300

export const NO_OUTLINE: RecordOutline = { name: null, status: null, carrier: null, lane: null }

export function outlineOf(resource: RecordResource, record: JsonObject | null): RecordOutline {
  if (record === null) return NO_OUTLINE
  switch (resource) {
    case 'shipment':
      return {
        name: shown(record, 'name'),
        status: shown(record, 'status'),
        carrier: shown(field(record, 'booking_information'), 'carrier'),
        lane: laneOf(record),
      }
    case 'tracking':
      return { ...NO_OUTLINE, status: shown(record, 'status') }
    case 'invoice':
      return { ...NO_OUTLINE, name: shown(record, 'number'), status: shown(record, 'status') }
    case 'purchase_order':
      return { ...NO_OUTLINE, name: shown(record, 'supplier_name') }
    case 'location':
      return { ...NO_OUTLINE, name: shown(record, 'name') ?? shown(record, 'company_name') }
    case 'document':
    case 'order_preparation':
      return { ...NO_OUTLINE, name: shown(record, 'name') }
    default:
      return resource satisfies never
  }
}

/** A status as the outline of a record has it. */
export function outlinedText(text: string): string {
  return (text.length > LONGEST ? text.slice(0, LONGEST) : text).toWellFormed()
}

function shown(...[record, name]: Parameters<typeof textField>): string | null {
  const text = textField(record, name)
  return text === null ? null : outlinedText(text)
}

function laneOf(shipment: JsonObject): string | null {
  const route = field(shipment, 'route')
  const [from, to] = [shown(route, 'origin_port_unlocode'), shown(route, 'destination_port_unlocode')]
  return from === null || to === null ? null : `${from} → ${to}`
}
