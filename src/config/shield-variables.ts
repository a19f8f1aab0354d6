/** Characters that mean something to YAML, and stand-ins of the same length from the private use area. */
const STAND_INS: ReadonlyMap<string, string> = new Map(
  ['{', '}', '[', ']', ',', '#'].map((character, index) => [character, String.fromCodePoint(0xe000 + index)]),
)
const ORIGINALS: ReadonlyMap<string, string> = new Map(
  [...STAND_INS].map(([character, standIn]) => [standIn, character]),
)

/** Hides the inside of `${…}` from YAML, so that it needs no quotes between brackets: `{ url: ${ERP_URL} }`. */
export function shieldVariables(text: string): string {
  return text.replaceAll(/\$\{[^}\n]*\}/g, ([dollar = '', ...rest]) =>
    [dollar, ...rest.map((character) => STAND_INS.get(character) ?? character)].join(''),
  )
}

export function unshieldVariables(text: string): string {
  return text.replaceAll(/[\uE000-\uE005]/g, (standIn) => ORIGINALS.get(standIn) ?? standIn)
}
