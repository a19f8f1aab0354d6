import { pino } from 'pino'
import { asStartedInJson } from './invocation.ts'
import { printable, printableJson } from './printable.ts'
import { redact } from './redact.ts'

export type Logger = pino.Logger

export interface LogOptions {
  readonly level: string
  /** What makes lines for people of JSON lines; false: they stay JSON. */
  readonly pretty: ((options: { readonly colour: boolean }) => (line: string) => string) | false
  readonly colour: boolean
  /** Configured secrets as of now: none of them leaves in a line. */
  readonly secrets: () => readonly string[]
  readonly write: (line: string) => void
}

/** One JSON line per outcome, its message naming it (`poll.completed`, `delivery.attempted`). */
export function createLogger(options: LogOptions): Logger {
  const render = options.pretty === false ? null : options.pretty(options)
  const destination = {
    write: (line: string) => {
      const safe = printableJson(redact(asStartedInJson(line), options.secrets()))
      options.write(render === null ? safe : printable(render(withoutEscape(safe))))
    },
  }
  // There is a line for each delivery. pino puts it together key by key: a third more time than all at once, and twice the memory.
  function logMethod(this: Logger, ...[words, log, level]: [Parameters<pino.LogFn>, pino.LogFn, number]): void {
    const line = plainLine(words, level)
    if (line === null) log.apply(this, words)
    else destination.write(line)
  }
  return pino({ level: options.level, base: null, hooks: { logMethod } }, destination)
}

/** The escape of half a surrogate pair: its last digit would seem to be of the word behind it, which may be a secret. */
const HALF_PAIR = /\\ud[89a-f]/

/** The line as pino writes it, of fields and a message that names the outcome; null: it is left to pino. */
function plainLine([fields, message, ...others]: Parameters<pino.LogFn>, level: number): string | null {
  if (!isFields(fields) || typeof message !== 'string' || message.includes('%') || others.length > 0) return null
  try {
    const json = JSON.stringify(fields)
    if (HALF_PAIR.test(json)) return null
    const comma = json === '{}' ? '' : ','
    const own = json.slice(1, -1)
    return `{"level":${level}${pino.stdTimeFunctions.epochTime()},${own}${comma}"msg":${JSON.stringify(message)}}\n`
  } catch {
    // What cannot be serialised is pino's to describe.
    return null
  }
}

function isFields(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !('err' in value) &&
    !('toJSON' in value)
  )
}

/** A JSON line whose texts keep no colours of their own: the readable line has others. */
function withoutEscape(line: string): string {
  return line.replaceAll(/\\(?:u001b|.)/gi, (escape) => (/u001b/i.test(escape) ? String.raw`\\u001b` : escape))
}
