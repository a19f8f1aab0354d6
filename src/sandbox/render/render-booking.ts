import type { JsonObject } from '../../model/json.ts'
import type { Life } from '../life/life.ts'
import { valueAt } from '../life/timeline.ts'
import { kilograms } from './render-cargo.ts'

/** IATA: a cubic metre counts as at least 167 kg (1:6000). */
const KG_PER_CBM = 167

export function renderBooking(life: Life, time: number): JsonObject {
  const booking = valueAt(life.booking, time)
  const { ocean = null, flightNumber = null } = booking ?? {}
  return {
    carrier: booking?.carrier ?? null,
    master_bill: booking?.masterBill ?? null,
    house_bill: booking?.houseBill ?? null,
    ocean_booking: ocean === null ? null : { booking_number: ocean.number, voyage: ocean.voyage, vessel: ocean.vessel },
    air_booking:
      flightNumber === null ? null : { flight_number: flightNumber, chargeable_weight: chargeable(life, time) },
  }
}

function chargeable(life: Life, time: number): JsonObject {
  const weight = valueAt(life.cargo.weightKg, time) ?? 0
  return kilograms(Math.ceil(Math.max(weight, life.cargo.volumeCbm * KG_PER_CBM) * 2) / 2)
}
