import { field, textField, type Json } from '../../model/json.ts'
import { filled, type Wording } from '../wording/wording.ts'
import { portText } from './port.ts'
import { short, words } from './short.ts'

/** How and where a shipment goes: `: ocean, Shanghai (CNSHA) → Le Havre (FRLEH)`; '' where nothing is said. */
export function journey(shipment: Json | undefined, wording: Wording): string {
  const mode = textField(shipment, 'freight_mode')
  const parts = [mode === null ? null : words(mode, wording), routeOf(shipment)].filter((each) => each !== null)
  return parts.length === 0 ? '' : `${wording.terms.colon}${parts.join(', ')}`
}

/** `Shanghai (CNSHA) → Le Havre (FRLEH)`; null where neither end is known. */
export function routeOf(shipment: Json | undefined): string | null {
  return portsOf(field(shipment, 'route')) || null
}

/** The ports of a route: `Shanghai (CNSHA) → Le Havre (FRLEH)`; '' where neither end is known. */
export function portsOf(route: Json | undefined): string {
  const ports = [textField(route, 'origin_port_unlocode'), textField(route, 'destination_port_unlocode')]
  return ports.every((port) => port === null)
    ? ''
    : ports.map((port) => (port === null ? '–' : portText(port))).join(' → ')
}

/** `{vessel, voyage, flight_number}` of a booking: `Ever Given, voyage 12E`. */
export function carriage(means: Json | undefined, { terms }: Wording): string {
  const [vessel, voyage, flight] = [
    textField(means, 'vessel'),
    textField(means, 'voyage'),
    textField(means, 'flight_number'),
  ]
  const parts = [
    vessel,
    voyage === null ? null : filled(terms.voyage, { voyage }),
    flight === null ? null : filled(terms.flight, { flight }),
  ]
  return short(parts.filter((each) => each !== null).join(', '))
}
