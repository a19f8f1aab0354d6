import { portCode } from './port-names.ts'

const BETWEEN = ' → '
const SEPARATORS = /\s*[-→>]\s*/g
const CODE = /^[a-z]{2}[a-z0-9]{1,8}$/i
/** Longer texts name no two ports. */
const LONGEST = 200

/** A lane as records are listed by it: `CNSHA → FRFOS`. */
export function laneName(from: string, to: string): string {
  return `${from}${BETWEEN}${to}`
}

/** The key of a lane, by which arrivals are counted and people ask for it: `CNSHA-FRFOS`. */
export function laneKey(lane: string): string {
  return lane.replace(BETWEEN, '-')
}

/** The lane that a key is of. */
export function listedLane(key: string): string {
  return key.replace('-', BETWEEN)
}

/** The lane that people ask for by `CNSHA-FRFOS`, or by names of ports such as `Shanghai - Le Havre`; null for any other text. */
export function readLane(text: string): string | null {
  if (text.length > LONGEST) return null
  for (const { 0: separator, index } of text.matchAll(SEPARATORS)) {
    const [from, to] = [portOf(text.slice(0, index)), portOf(text.slice(index + separator.length))]
    if (from !== null && to !== null) return laneName(from, to)
  }
  return null
}

function portOf(text: string): string | null {
  const said = text.trim()
  return portCode(said) ?? (CODE.test(said) ? said.toUpperCase() : null)
}

/** The key of what people ask for; null: it is no lane. */
export function readLaneKey(text: string): string | null {
  const lane = readLane(text)
  return lane === null ? null : laneKey(lane)
}

/** The key by which people can ask for a lane; null where nobody could. */
export function askedKey(lane: string): string | null {
  const key = laneKey(lane)
  return readLane(key) === lane ? key : null
}
