/** A lane as it is asked for and counted by, `CNSHA-NLRTM`, of what people write: `CNSHA → NLRTM`, too; null: it is no lane. */
export function readLaneKey(text: string): string | null {
  const [, from, to] = /^\s*(\w{2,20})\s*(?:-|→)\s*(\w{2,20})\s*$/.exec(text) ?? []
  return from === undefined || to === undefined ? null : `${from}-${to}`.toUpperCase()
}

/** A lane as records are listed by it, of the one that it is counted by. */
export function listedLane(key: string): string {
  return key.replace('-', ' → ')
}
