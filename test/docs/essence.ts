/** What of an example's output has to be there: every line of it, wherever. */
export function missingLines(expected: string, actual: string): readonly string[] {
  const lines = actual.split('\n').map(essence)
  return expected
    .split('\n')
    .filter((line) => /[^\s…]/.test(line))
    .filter((line) => !lines.some((each) => patternOf(line).test(each)))
}

/** `…` is any text. */
function patternOf(line: string): RegExp {
  const parts = essence(line).split(/ ?… ?/)
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[^\w\s]/g, String.raw`\$&`)).join('.*')}$`)
}

/** A line without what differs from run to run: instants, lengths, ids, keys, numbers, spaces. */
function essence(line: string): string {
  return line
    .replaceAll(/\b(evt|dlv)_[0-9a-f]+/g, '$1_')
    .replaceAll(/\b(whsec|whsk|whpk)_[\w+/=]+/g, '$1_')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<instant>')
    .replaceAll(/\b(?:\d+(?:ms|[smhd]))+\b/g, '<length>')
    .replaceAll(/\d[\d,.]*(?<=\d)/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
