import { field, textField, type Json } from '../../model/json.ts'
import { short, words } from './short.ts'

/** How and where a shipment goes: `: ocean, CNSHA → FRLEH`; '' where nothing is said. */
export function journey(shipment: Json | undefined): string {
  const mode = textField(shipment, 'freight_mode')
  const parts = [mode === null ? null : words(mode), routeOf(shipment)].filter((each) => each !== null)
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}

/** `CNSHA → FRLEH`; null where neither end is known. */
export function routeOf(shipment: Json | undefined): string | null {
  const route = field(shipment, 'route')
  const ports = [textField(route, 'origin_port_unlocode'), textField(route, 'destination_port_unlocode')]
  return ports.every((port) => port === null)
    ? null
    : ports.map((port) => (port === null ? '–' : short(port))).join(' → ')
}
