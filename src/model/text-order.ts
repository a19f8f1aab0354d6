/** Where the code units begin that stand in pairs, for code points above all others. */
const PAIRED = { first: 0xd800, last: 0xdfff, above: 0x2800 }

/** Compares texts by their code points, which is the order of their bytes in UTF-8 and that of stores. */
export function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)]
    if (left !== right) return rankOf(left) - rankOf(right)
  }
  return one.length - other.length
}

function rankOf(unit: number): number {
  return unit >= PAIRED.first && unit <= PAIRED.last ? unit + PAIRED.above : unit
}
