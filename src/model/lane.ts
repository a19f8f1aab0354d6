import { readLane } from './record-order.ts'

/** A lane as arrivals are counted by it, `CNSHA-NLRTM`, of what people write; null: it is no lane. */
export function readLaneKey(text: string): string | null {
  return readLane(text)?.replace(' → ', '-') ?? null
}

/** A lane as records are listed by it, of the one that arrivals are counted by. */
export function listedLane(key: string): string {
  return key.replace('-', ' → ')
}
