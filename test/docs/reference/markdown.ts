/** A table of Markdown; a bar inside a cell would end it. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  return [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((text) => text.replaceAll('|', String.raw`\|`)).join(' | ')} |\n`)
    .join('')
}
