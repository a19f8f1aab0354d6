const SHORTEST = 4
const MASK = '[redacted]'

/** The text without these secrets, and without the beginning of one that the end of the text has cut off. */
export function redact(text: string, secrets: readonly string[]): string {
  const longestFirst = secrets.filter((secret) => secret.length >= SHORTEST).sort((a, b) => b.length - a.length)
  const masked = longestFirst.reduce((rest, secret) => rest.replaceAll(secret, MASK), text)
  const cutOff = Math.max(0, ...longestFirst.map((secret) => overlap(masked, secret)))
  return cutOff === 0 ? masked : masked.slice(0, -cutOff) + MASK
}

/** How many characters of the secret's beginning the text ends with. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(secret.length - 1, text.length); length >= SHORTEST; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length
  }
  return 0
}
