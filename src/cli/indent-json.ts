const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Valid JSON text with two spaces for each level, its numbers and texts digit for digit as they are, or as `shown` makes them. */
export function indentJson(text: string, shown = (token: string): string => token): string {
  const pieces: string[] = []
  let depth = 0
  let last = ''
  const newLine = (): string => `\n${'  '.repeat(depth)}`
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') {
      depth -= 1
      pieces.push(last === '{' || last === '[' ? token : newLine() + token)
    } else {
      const isFirst = last === '{' || last === '['
      pieces.push(isFirst || last === ',' ? newLine() + shown(token) : shown(token))
      if (token === '{' || token === '[') depth += 1
      if (token === ':') pieces.push(' ')
    }
    last = token
  }
  return pieces.join('')
}
