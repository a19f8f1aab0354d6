import type { ShipbellEvent } from '../model/event.ts'
import { field, isJsonObject, textField, type Json } from '../model/json.ts'
import type { Language } from '../model/reader.ts'
import { isRecordResource, type RecordResource } from '../model/resource.ts'
import { lineSayingOf, sayingOf } from './languages/sentences.ts'

/** The fields of a record that built-in messages may tell of: they are shown no other. What it was before, they are not shown at all. */
export const MESSAGE_FIELDS: Readonly<Record<RecordResource, readonly string[]>> = {
  shipment: [
    'freight_mode',
    'route',
    'booking_information',
    'main_tracking_dates',
    'desired_delivery_date',
    'platform_shipment_id',
  ],
  tracking: ['status', 'platform_shipment_id'],
  invoice: ['number', 'reference', 'due_date', 'sent_date', 'status', 'lines', 'platform_shipment_id'],
  document: ['name', 'type', 'uploaded_at', 'platform_shipment_id'],
  purchase_order: ['supplier_name', 'purchase_order_lines', 'desired_ex_factory_date', 'desired_delivery_date'],
  location: ['name', 'company_name', 'address', 'zip_code', 'city', 'country', 'opening_hours', 'platform_shipment_id'],
  order_preparation: ['name', 'freight_method', 'instructions', 'picking_references', 'platform_shipment_id'],
}

/** Whether built-in messages may tell a date of the record that an event shows. */
export function tellsRecordDates({ extras, subject, type }: ShipbellEvent, language: Language): boolean {
  if (subject.resource !== 'shipment' || Object.hasOwn(extras, 'slack_days')) return true
  return [sayingOf(type, language), lineSayingOf(type, language)].some(({ say }) => LOOKS_INTO_RECORD.test(say))
}

const LOOKS_INTO_RECORD = /\bobject\b|\bdata\b(?!\.)/

/** A payload as built-in messages are shown it. */
export function toldPayload(payload: Json): Json {
  const resource = textField(field(payload, 'subject'), 'resource') ?? ''
  const data = field(payload, 'data')
  const object = field(data, 'object')
  if (!isRecordResource(resource) || !isJsonObject(payload) || data === undefined || !isJsonObject(data)) return payload
  if (object === undefined || !isJsonObject(object)) return payload
  const told = MESSAGE_FIELDS[resource].flatMap((name): [string, Json][] => {
    const value = Object.hasOwn(object, name) ? object[name] : undefined
    return value === undefined ? [] : [[name, value]]
  })
  return { ...payload, data: { ...data, object: Object.fromEntries(told), previous: null } }
}
