import { printableJson } from '../printable.ts'
import type { CommandContext } from './command-context.ts'

/** What `--json` prints: one document. */
export function writeJson({ stdout }: Pick<CommandContext, 'stdout'>, document: unknown): void {
  stdout.write(`${indented(document)}\n`)
}

/** A list as one document, written item by item: a whole log may be longer than the longest string. */
export function writeJsonList<T>(
  { stdout }: Pick<CommandContext, 'stdout'>,
  items: readonly T[],
  render: (item: T) => unknown,
): void {
  let separator = '[\n'
  for (const item of items) {
    stdout.write(`${separator}${indented(render(item)).replaceAll(/^/gm, '  ')}`)
    separator = ',\n'
  }
  stdout.write(separator === '[\n' ? '[]\n' : '\n]\n')
}

function indented(document: unknown): string {
  return printableJson(JSON.stringify(document, null, 2))
}

export interface JsonOption {
  readonly json?: true
}
