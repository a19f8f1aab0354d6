import { portName } from '../../model/port-names.ts'
import { short } from './short.ts'

/** A port by the name that the platform gives it, else by one that is known of its UN/LOCODE: `Shanghai (CNSHA)`. */
export function portText(unlocode: string, city: string | null = null): string {
  const name = city ?? portName(unlocode)
  return name === null ? short(unlocode) : `${short(name)} (${short(unlocode)})`
}

/** A lane as records are listed by it, with the names of its ports: `Shanghai (CNSHA) → Rotterdam (NLRTM)`. */
export function laneText(lane: string): string {
  return lane
    .split(' → ')
    .map((port) => portText(port))
    .join(' → ')
}
