const UNITS: ReadonlyMap<string, number> = new Map([
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
])

/** How a duration is written. */
export const DURATION = /^(?:\d+(?:ms|s|m|h|d))+$/

const PARTS = /(\d+)(ms|s|m|h|d)/g
/** Most have one part: it costs less to read. */
const SIMPLE = /^(\d+)(ms|s|m|h|d)$/

/** Milliseconds of `500ms`, `90s`, `2m`, `1h30m`, `7d`; null for anything else. */
export function parseDuration(text: string): number | null {
  const simple = SIMPLE.exec(text)
  if (simple === null && !DURATION.test(text)) return null
  let total = 0
  for (const [, amount, unit = ''] of simple === null ? text.matchAll(PARTS) : [simple]) {
    total += Number(amount) * (UNITS.get(unit) ?? 0)
  }
  return Number.isSafeInteger(total) ? total : null
}

/** The shortest text that `parseDuration` reads back: `1h30m`, `500ms`, `0s`. */
export function formatDuration(ms: number): string {
  let rest = Math.round(ms)
  let text = ''
  for (const [unit, unitMs] of UNITS) {
    const amount = Math.floor(rest / unitMs)
    rest -= amount * unitMs
    if (amount > 0) text += `${amount}${unit}`
  }
  return text === '' ? '0s' : text
}

/** A lead as one would say it, in the largest unit that it is a whole number of: `7d`, `36h`, `90m`. */
export function formatLead(ms: number): string {
  const [unit, unitMs] = [...UNITS].find(([, each]) => ms % each === 0) ?? ['ms', 1]
  return `${ms / unitMs}${unit}`
}
