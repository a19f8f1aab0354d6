import type { JsonObject } from '../../src/model/json.ts'

const PORTS = ['CNSHA', 'SGSIN', 'EGPSD', 'NLRTM'] as const

/** The tracking of a benchmark's shipment: four steps of two events each, about 2 kB. */
export function worldTracking(id: string): JsonObject {
  const steps = PORTS.map((unlocode, step) => ({
    type: step === 0 ? 'departure' : 'arrival',
    location: null,
    port: { unlocode, city: unlocode, country: unlocode.slice(0, 2) },
    events: ['Loaded', 'Discharged'].map((description, index) => ({
      description,
      container_number: null,
      date: new Date(Date.UTC(2026, 9, 1 + 7 * step + index)).toISOString(),
      status: step < 2 ? 'actual' : 'estimated',
    })),
  }))
  return { platform_shipment_id: id, status: 'in_transit', tracking_steps: steps, ocean_coordinates: [] }
}
