import { z } from 'zod'
import { formatDuration, parseDuration } from '../model/duration.ts'

/** Text that is not empty. A number or `true` is refused: YAML would have changed its spelling (`007`, `1e3`). */
export const text: z.ZodType<string> = z
  .string({
    error: ({ input }) =>
      typeof input === 'number' || typeof input === 'boolean' ? 'must be text: put it in quotes' : 'must be text',
  })
  .min(1, 'must not be empty')

/** Text that goes into an HTTP header: visible ASCII. */
export const token: z.ZodType<string> = z
  .string({ error: 'must be text' })
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces, and not empty')

/** A token; null where it is empty, which is what an unset variable with an empty default gives. */
export const optionalToken: z.ZodType<string | null> = z.union([z.literal('').transform(() => null), token], {
  error: 'must be text',
})

const COUNT = 'must be a whole number from 1'

/** A whole number from 1; also as text, which is what a variable gives. */
export const count: z.ZodType<number> = z.union(
  [
    z.int(COUNT).min(1, COUNT),
    z
      .string()
      .regex(/^[1-9]\d{0,14}$/, COUNT)
      .transform(Number),
  ],
  { error: COUNT },
)

const FRACTION = 'must be a number above 0, at most 1, such as 0.5'

/** A number in (0, 1]; also as text, which is what a variable gives. */
export const fraction: z.ZodType<number> = z.union(
  [
    z.number(FRACTION).gt(0, FRACTION).lte(1, FRACTION),
    z
      .string()
      .regex(/^(?:0?\.\d{1,9}|1(?:\.0{1,9})?)$/, FRACTION)
      .transform(Number)
      .refine((part) => part > 0, FRACTION),
  ],
  { error: FRACTION },
)

const POSITIVE = 'must be a number above 0, at most 1000, such as 2 or 0.5'
const MOST = 1_000

/** A number in (0, 1000]; also as text, which is what a variable gives. */
export const positive: z.ZodType<number> = z.union(
  [
    z.number(POSITIVE).gt(0, POSITIVE).lte(MOST, POSITIVE),
    z
      .string()
      .regex(/^\d{0,4}(?:\.\d{1,9})?$/, POSITIVE)
      .transform(Number)
      .refine((amount) => amount > 0 && amount <= MOST, POSITIVE),
  ],
  { error: POSITIVE },
)

const FLAG = 'must be true or false'

/** `true` or `false`, as text too; never `yes`, `no`, `on`, `1`. */
export const flag: z.ZodType<boolean> = z.union(
  [z.boolean(), z.enum(['true', 'false'], FLAG).transform((word) => word === 'true')],
  { error: FLAG },
)

export interface DurationRange {
  readonly atLeastMs: number
  readonly atMostMs?: number
}

const TEN_YEARS_MS = 3650 * 86_400_000

/** Milliseconds of `500ms`, `90s`, `2m`, `1h30m`, `7d`. */
export function duration({
  atLeastMs,
  atMostMs = TEN_YEARS_MS,
}: Partial<DurationRange> & { atLeastMs: number }): z.ZodType<number> {
  const range = `from ${formatDuration(atLeastMs)} to ${formatDuration(atMostMs)}`
  return z
    .string({ error: 'must be a duration with a unit, such as 500ms, 90s, 2m, 1h30m or 7d' })
    .transform((text, context) => {
      const ms = parseDuration(text)
      if (ms !== null && ms >= atLeastMs && ms <= atMostMs) return ms
      context.addIssue(
        ms === null ? 'must be a duration such as 500ms, 90s, 2m, 1h30m or 7d' : `must be a duration ${range}`,
      )
      return z.NEVER
    })
}

export function choice<const T extends readonly string[]>(words: T): z.ZodType<T[number]> {
  return z.enum(words, { error: `must be one of ${words.join(', ')}` })
}

export function list<T>(of: z.ZodType<T>, example: string): z.ZodType<readonly T[]> {
  return z.array(of, { error: `must be a list, such as ${example}` })
}

export function filledList<T>(of: z.ZodType<T>, example: string): z.ZodType<readonly T[]> {
  return z
    .array(of, { error: `must be a list, such as ${example}` })
    .min(1, `must not be empty: list at least one, such as ${example}`)
}
