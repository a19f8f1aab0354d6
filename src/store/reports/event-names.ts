/** Follows every text that a prefix begins. */
const LAST_CHARACTER = '\u{10FFFF}'

/** The sequence that a name stands for (`#12`); null: it is none. */
export function sequenceNamed(name: string): number | null {
  const digits = /^#(\d{1,15})$/.exec(name)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** What comes behind all texts that begin with a prefix. */
export function afterPrefix(prefix: string): string {
  return `${prefix}${LAST_CHARACTER}`
}
