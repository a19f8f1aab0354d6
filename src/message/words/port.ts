import { PORT_NAMES } from './port-names.ts'
import { short } from './short.ts'

/** A port by the name that the platform gives it, else by one that is known of its UN/LOCODE: `Shanghai (CNSHA)`. */
export function portText(unlocode: string, city: string | null = null): string {
  const code = unlocode.replaceAll(' ', '').toUpperCase()
  const name = city ?? (Object.hasOwn(PORT_NAMES, code) ? PORT_NAMES[code] : undefined)
  return name === undefined ? short(unlocode) : `${short(name)} (${short(unlocode)})`
}
