const SHORTEST = 4
/** Shorter ones are found in ordinary words: only a word of its own is taken for such a secret. */
const SHORTEST_ANYWHERE = 8
const MASK = '[redacted]'
const WORD = /[\p{L}\p{N}]/u

/** The text without these secrets, and without the beginning of one that the end of the text has cut off. */
export function redact(text: string, secrets: readonly string[]): string {
  const longestFirst = secrets.filter((secret) => secret.length >= SHORTEST).sort((a, b) => b.length - a.length)
  const masked = longestFirst.reduce((rest, secret) => maskSecret(rest, secret, MASK), text)
  const cutOff = Math.max(0, ...longestFirst.map((secret) => overlap(masked, secret)))
  return cutOff === 0 ? masked : masked.slice(0, -cutOff) + MASK
}

/** The text with `mask` in place of the secret: wherever it stands, or where it is short, as a word of its own. */
export function maskSecret(text: string, secret: string, mask: string): string {
  if (secret === '') return text
  if (secret.length >= SHORTEST_ANYWHERE) return text.replaceAll(secret, () => mask)
  const pieces: string[] = []
  let from = 0
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
    if (at < from || isInWord(text, at) || isInWord(text, at + secret.length)) continue
    pieces.push(text.slice(from, at), mask)
    from = at + secret.length
  }
  return pieces.join('') + text.slice(from)
}

/** Whether a word goes on across the boundary before `index`. */
function isInWord(text: string, index: number): boolean {
  return WORD.test(text.charAt(index - 1)) && WORD.test(text.charAt(index))
}

/** How many characters of the secret's beginning the text ends with. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length >= SHORTEST; length -= 1) {
    if (!text.endsWith(secret.slice(0, length))) continue
    if (secret.length >= SHORTEST_ANYWHERE || !isInWord(text, text.length - length)) return length
  }
  return 0
}
