import { textWidth } from './text-width.ts'

/** A sentence in lines that fit a terminal. A command in backquotes stays in one piece, to be copied. */
export function wrapped(sentence: string, { columns = 80, indent = '' }: WrapOptions): string {
  const words = sentence.match(/(?:`[^`]*`|[^\s`])+/g) ?? []
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    const longer = line === '' ? indent + word : `${line} ${word}`
    const fits = line === '' || textWidth(longer) <= columns
    if (!fits) lines.push(line)
    line = fits ? longer : indent + word
  }
  return [...lines, line].map((each) => `${each}\n`).join('')
}

interface WrapOptions {
  readonly columns?: number | undefined
  readonly indent?: string
}
