import { styleText } from 'node:util'
import type { Severity } from '../model/severity.ts'
import { printable } from '../printable.ts'
import type { CommandContext, OutputStream } from './command-context.ts'

const USUAL_LONGEST = 200

/**
 * Untrusted text for one place in a terminal line: control characters (escape sequences, line breaks) and bidirectional
 * overrides are shown as escapes, and long text is cut.
 */
export function terminalText(text: string, longest = USUAL_LONGEST): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  return cut.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, escaped)
}

/** A text of several lines as a terminal may show it, uncut. */
export function terminalLines(text: string): string {
  return text
    .split('\n')
    .map((line) => terminalText(line, Number.POSITIVE_INFINITY))
    .join('\n')
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}

/** Where a person watches, what goes there is made printable; files and pipes get it as it is. */
export function terminalOutput(stream: OutputStream): OutputStream {
  if (stream.isTTY !== true) return stream
  return {
    isTTY: true,
    get columns() {
      // A terminal that nobody has given a size says 0.
      return stream.columns === undefined || stream.columns === 0 ? 80 : stream.columns
    },
    write: (text) => stream.write(printable(text)),
  }
}

/** Takes everything off the screen; what follows begins at its top. */
export const CLEAR_SCREEN = '\u001B[H\u001B[J'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

export type Paint = (style: Style, text: string) => string

/** Paints what goes to stdout. */
export function painter({ stdout, env }: Pick<CommandContext, 'stdout' | 'env'>): Paint {
  return stylist(isColoured(stdout, env))
}

/** Paints, or leaves everything as it is. */
export function stylist(colour: boolean): Paint {
  return (style, text) => (colour && text !== '' ? styleText(style, text, { validateStream: false }) : text)
}

/**
 * Colours on a terminal, unless NO_COLOR is set and not empty (no-color.org). FORCE_COLOR decides alone where it is set: `0`
 * and `false` mean none (force-color.org; Node takes it so).
 */
export function isColoured(stream: OutputStream, { FORCE_COLOR, NO_COLOR, TERM }: CommandContext['env']): boolean {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return stream.isTTY === true && (NO_COLOR ?? '') === '' && TERM !== 'dumb'
}

/** How the tone of an event looks; what is neutral has no colour. */
export function painted(tone: Severity, text: string, paint: Paint): string {
  switch (tone) {
    case 'good':
      return paint('green', text)
    case 'warning':
      return paint('yellow', text)
    case 'critical':
      return paint('red', text)
    case 'neutral':
      return text
    default:
      return tone satisfies never
  }
}
