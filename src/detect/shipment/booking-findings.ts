import { asText, field, type Json, type JsonObject } from '../../model/json.ts'
import { trackingDate } from '../../model/shipment.ts'
import { isUnder, type Claims } from '../claims.ts'
import { foldText } from '../compare/scalar.ts'
import type { Comparison } from '../comparison.ts'
import { leavesFinding, type Finding } from '../finding.ts'

const MEANS = [
  { name: 'vessel', path: ['booking_information', 'ocean_booking', 'vessel'] },
  { name: 'voyage', path: ['booking_information', 'ocean_booking', 'voyage'] },
  { name: 'flight_number', path: ['booking_information', 'air_booking', 'flight_number'] },
] as const

/** `rolled` claims vessel, voyage and flight; whatever else changed in the booking, or all of it, is an update. */
export function bookingFindings(comparison: Comparison, claims: Claims): readonly Finding[] {
  const from = meansOf(comparison.before)
  const to = meansOf(comparison.after)
  const departed = trackingDate(comparison.after, 'departure')?.status === 'actual'
  const changed = MEANS.filter(({ path }) => claims.peekUnder(...path).length > 0)
  const rolled = !departed && changed.some(({ name }) => becameAnother(from[name], to[name]))
  const leaves = rolled ? claims.take((leaf) => MEANS.some(({ path }) => isUnder(leaf, path))) : []
  return [
    ...leavesFinding('shipment.rolled', leaves, { extras: { from, to } }),
    ...leavesFinding('shipment.booking_updated', claims.takeUnder('booking_information')),
  ]
}

function meansOf(shipment: JsonObject): JsonObject {
  return Object.fromEntries(MEANS.map(({ name, path }) => [name, valueAt(shipment, path)]))
}

function valueAt(shipment: JsonObject, path: readonly string[]): Json {
  return path.reduce<Json>((value, name) => field(value, name) ?? null, shipment)
}

function becameAnother(from: Json | undefined, to: Json | undefined): boolean {
  const known = foldText(asText(from) ?? '')
  const now = foldText(asText(to) ?? '')
  return known !== '' && now !== '' && known !== now
}
