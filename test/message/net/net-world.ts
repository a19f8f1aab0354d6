import type { EventType } from '../../../src/model/event-catalogue.ts'
import type { ShipbellEvent } from '../../../src/model/event.ts'
import type { Json, JsonObject } from '../../../src/model/json.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'

const START = Date.UTC(2026, 10, 20, 14)

/** A value and the next one, and the milestone that has them. */
type Dated = readonly [string, string, string?]

/** Events as they ring one after the other, of shipments `Ship S1`, `Ship S2`, with what belongs to them. */
export class NetWorld {
  #rung = 0

  /** An event of a shipment or its tracking, or of a record and the shipment that it says it belongs to. */
  about(type: EventType, about: string | readonly [string, string | null], extras: JsonObject = {}): ShipbellEvent {
    const [id, owner] = typeof about === 'string' ? [about, about] : about
    const sample = sampleEvent(type)
    this.#rung += 1
    const shipment =
      owner === null || sample.shipment === null ? null : { ...sample.shipment, id: owner, name: `Ship ${owner}` }
    return {
      ...sample,
      id: `evt_${this.#rung}`,
      sequence: this.#rung,
      timestamp: START + this.#rung * 60_000,
      subject: { ...sample.subject, id },
      shipment,
      extras: { ...sample.extras, ...extras },
    }
  }

  /** A date of a shipment from one value to another, as `2026-12-12` or `2026-12-12 actual`; '' where there is none. */
  dated(id: string, type: EventType, [from, to, milestone = 'arrival']: Dated): ShipbellEvent {
    const [before, after] = [dateOf(from), dateOf(to)]
    const minutes =
      from === '' || to === '' ? null : (Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / 60_000
    return this.about(type, id, {
      date_change: { milestone, from: before, to: after, shift_minutes: minutes, direction: 'none' },
    })
  }

  /** A date that moved, of the ETA. */
  eta(id: string, from: string, to: string): ShipbellEvent {
    return this.dated(id, 'shipment.eta_changed', [from, to])
  }
}

function dateOf(text: string): Json {
  const [day, status = 'estimated'] = text.split(' ')
  return text === '' ? null : { date: `${day}T10:00:00Z`, status }
}
