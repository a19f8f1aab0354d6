import { styleText } from 'node:util'
import type { CommandContext } from './command-context.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

/** Colours on a terminal, unless NO_COLOR is set and not empty (no-color.org). */
export function painter({
  stdout,
  env,
}: Pick<CommandContext, 'stdout' | 'env'>): (style: Style, text: string) => string {
  const colour = stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
  return (style, text) => (colour && text !== '' ? styleText(style, text, { validateStream: false }) : text)
}
