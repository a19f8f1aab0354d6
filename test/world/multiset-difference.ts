/** What must have rung and did not, and what rang although it must not; each as often as it did. */
export function multisetDifference(
  expected: readonly string[],
  rang: readonly string[],
): { readonly missed: readonly string[]; readonly invented: readonly string[] } {
  const rest = new Map<string, number>()
  for (const each of expected) rest.set(each, (rest.get(each) ?? 0) + 1)
  const invented: string[] = []
  for (const each of rang) {
    const count = rest.get(each) ?? 0
    if (count === 0) invented.push(each)
    else rest.set(each, count - 1)
  }
  const missed = [...rest].flatMap(([each, count]) => Array.from({ length: count }, () => each))
  return { missed, invented }
}
