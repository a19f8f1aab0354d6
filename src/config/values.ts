import { z } from 'zod'
import { DURATION, formatDuration, parseDuration } from '../model/duration.ts'
import { splitOmitted } from '../model/omit.ts'
import { isRecordResource, RESOURCES } from '../model/resource.ts'
import { parseSigningKey } from '../model/signing-key.ts'
import { isTimeZone } from '../model/time-zone.ts'
import { quoted } from './problem.ts'
import { issueOf } from './schema-parts.ts'

/** Text that is not empty. A number or `true` is refused: YAML would have changed its spelling (`007`, `1e3`). */
export const text = z
  .string({
    error: ({ input }) =>
      typeof input === 'number' || typeof input === 'boolean' ? 'must be text: put it in quotes' : 'must be text',
  })
  .min(1, 'must not be empty')

/** Text that goes into an HTTP header: visible ASCII. */
export const token = z
  .string('must be text')
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces, and not empty')

/** A token; null where it is empty, which is what an unset variable with an empty default gives. */
export const optionalToken = z.union([z.literal('').transform(() => null), token])

/** A number, or the same as text, which is what a variable gives. */
function numeric(number: z.ZodNumber, pattern: RegExp, message: string): z.ZodType<number, number | string> {
  return z.union([number, z.string().regex(pattern, message).transform(Number).pipe(number)])
}

export function countFrom(least: number): z.ZodType<number, number | string> {
  const message = `must be a whole number from ${least}`
  return numeric(z.int(message).min(least, message), /^[1-9]\d{0,14}$/, message)
}

export const count = countFrom(1)

const FRACTION = 'must be a number above 0, at most 1, such as 0.5'
export const fraction = numeric(
  z.number(FRACTION).gt(0, FRACTION).lte(1, FRACTION),
  /^(?:0?\.\d{1,9}|1(?:\.0{1,9})?)$/,
  FRACTION,
)

const POSITIVE = 'must be a number above 0, at most 1000, such as 2 or 0.5'
export const positive = numeric(
  z.number(POSITIVE).gt(0, POSITIVE).lte(1_000, POSITIVE),
  /^\d{0,4}(?:\.\d{1,9})?$/,
  POSITIVE,
)

const FLAG = 'must be true or false'

/** `true` or `false`, as text too; never `yes`, `no`, `on`, `1`. */
export const flag = z.union([z.boolean(FLAG), z.enum(['true', 'false'], FLAG).transform((word) => word === 'true')])

const TEN_YEARS_MS = 3650 * 86_400_000

/** Milliseconds of `500ms`, `90s`, `2m`, `1h30m`, `7d`. */
export function duration(atLeastMs: number, atMostMs = TEN_YEARS_MS): z.ZodType<number, string> {
  const range = `from ${formatDuration(atLeastMs)} to ${formatDuration(atMostMs)}`
  const written = z.string('must be a duration with a unit, such as 500ms, 90s, 2m, 1h30m or 7d')
  // For editors alone: here it is said what is wrong with it.
  return written.meta({ pattern: DURATION.source }).transform((text, context) => {
    const ms = parseDuration(text)
    if (ms !== null && ms >= atLeastMs && ms <= atMostMs) return ms
    context.addIssue(`must be a duration ${ms === null ? 'such as 500ms, 90s, 2m, 1h30m or 7d' : range}`)
    return z.NEVER
  })
}

/** Beyond a day a request is dead, and Node's timers end at 24.8 days. */
export const deadline = duration(1, 86_400_000)

const SIZE = 'must be a size from 1kB to 256kB, such as 64kB'
const SIZE_PATTERN = /^(\d{1,6})(B|kB|KiB)$/
const SIZE_UNITS: Readonly<Record<string, number>> = { B: 1, kB: 1_000, KiB: 1_024 }

/** Bytes of `64kB`, `64KiB`, `65536B`. */
export const payloadSize = z
  .string(SIZE)
  .meta({ pattern: SIZE_PATTERN.source })
  .transform((text, context) => {
    const [, digits = '', unit = ''] = SIZE_PATTERN.exec(text) ?? []
    const bytes = Number(digits) * (SIZE_UNITS[unit] ?? 0)
    if (bytes >= 1_000 && bytes <= 256_000) return bytes
    context.addIssue(SIZE)
    return z.NEVER
  })

export function choice<const T extends readonly string[]>(words: T): z.ZodType<T[number], string> {
  return z.enum(words, `must be one of ${words.join(', ')}`)
}

export function list<T extends z.ZodType>(of: T, example: string): z.ZodArray<T> {
  return z.array(of, `must be a list, such as ${example}`)
}

export function filledList<T extends z.ZodType>(of: T, example: string): z.ZodArray<T> {
  return list(of, example).min(1, `must not be empty: list at least one, such as ${example}`)
}

const ZONE = 'must be an IANA time zone such as Europe/Paris'

export const timeZone = z.string(ZONE).refine(isTimeZone, ZONE)

const TIME = 'must be a time of day such as "08:00"'

/** Minutes since midnight. */
export const timeOfDay = z
  .string(TIME)
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, TIME)
  .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)))

const POINTERS = 'must list JSON Pointers such as /updated_at or /cargo/containers/*/seal_number'

const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/

/** RFC 6901, below the root: the whole of a record cannot be ignored. */
export const jsonPointer = z
  .string(POINTERS)
  .regex(POINTER, `${POINTERS}: each starts with \`/\`; ~0 stands for \`~\`, ~1 for \`/\` in a name`)

const OMITTED = 'must list JSON Pointers such as /commercial_value, or location:/contacts of one resource'

/** A pointer below the root of records, of all resources or of the one before the colon. */
export const omittedPointer = z.string(OMITTED).superRefine((text, context) => {
  const { resource, pointer } = splitOmitted(text)
  if (resource !== null && !isRecordResource(resource)) {
    const known = Object.keys(RESOURCES).join(', ')
    context.addIssue(
      issueOf(`names no resource with ${quoted(resource)}: those of records are ${known}`, { hidden: OMITTED }),
    )
  } else if (!POINTER.test(pointer))
    context.addIssue(`${OMITTED}: each pointer starts with \`/\`; ~0 stands for \`~\`, ~1 for \`/\` in a name`)
})

const SECRETS = 'must be a secret, or a list of them'
const signingSecret = z.string(SECRETS).superRefine((text, context) => {
  const key = parseSigningKey(text)
  if (key.kind === 'invalid') context.addIssue(key.reason)
})

/** One Standard Webhooks secret, or a list of them during a rotation. */
export const signingSecrets = z.union([
  signingSecret.transform((one) => [one]),
  z.array(signingSecret).min(1, 'must not be an empty list'),
])

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** Shipbell's own (guarantee S1), and those that belong to the connection (RFC 9110 section 7.6.1). */
const RESERVED = /^(?:webhook-.*|content-.*|host|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect)$/i

/** Extra request headers. */
export const headerMap = z
  .record(
    z.string(),
    z.string('must hold text: put the value in quotes'),
    'must be a mapping from header names to values',
  )
  .superRefine((headers, context) => {
    const seen = new Set<string>()
    for (const [name, value] of Object.entries(headers)) {
      const wrong = whatIsWrong(name, value) ?? (seen.has(name.toLowerCase()) ? 'stands here twice' : null)
      seen.add(name.toLowerCase())
      if (wrong !== null) context.addIssue(issueOf(`cannot have ${quoted(name)}: it ${wrong}`, { key: name }))
    }
  })

function whatIsWrong(name: string, value: string): string | null {
  if (!NAME.test(name)) return 'is not a header name'
  if (RESERVED.test(name)) return 'is set by Shipbell or belongs to the connection'
  return VALUE.test(value) ? null : 'has a line break or another character that a header cannot carry'
}
