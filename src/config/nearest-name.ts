import { closestMatch } from 'leven'

/** The known name that a misspelt one probably means; undefined where none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const shortened = name.slice(0, 100)
  return closestMatch(shortened, known, { maxDistance: Math.max(2, Math.floor(shortened.length / 3)) })
}
