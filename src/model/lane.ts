const BETWEEN = ' → '
const LANE = /^\s*([a-z]{2}[a-z0-9]{1,8})\s*(?:-|→|>)\s*([a-z]{2}[a-z0-9]{1,8})\s*$/i

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

/** The lane that people ask for by `CNSHA-FRFOS`; null for any other text. */
export function readLane(text: string): string | null {
  const [, from, to] = LANE.exec(text) ?? []
  return from === undefined || to === undefined ? null : laneName(from.toUpperCase(), to.toUpperCase())
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
