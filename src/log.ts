import { pino } from 'pino'
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
      const safe = printableJson(redact(line, options.secrets()))
      options.write(render === null ? safe : printable(render(withoutEscape(safe))))
    },
  }
  return pino({ level: options.level, base: null }, destination)
}

/** What is printed as it is keeps no colours of its own: the readable line has others. */
function withoutEscape(line: string): string {
  return line.replaceAll(/\\(?:u001b|.)/gi, (escape) => (/u001b/i.test(escape) ? String.raw`\\u001b` : escape))
}
