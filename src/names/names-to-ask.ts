import { withoutRoot } from './hosts-file.ts'

export interface SearchRules {
  readonly search: readonly string[]
  readonly ndots: number
}

/** Longer names fit in no question. */
const LONGEST_NAME = 253

/** Which full names the DNS is asked for, one after another until one is known, as the C library has it. */
export function namesToAsk(name: string, { search, ndots }: SearchRules): readonly string[] {
  if (name.endsWith('.')) return [withoutRoot(name)]
  const dots = name.split('.').length - 1
  const searched = search.map((domain) => `${name}.${domain}`)
  return (dots >= ndots ? [name, ...searched] : [...searched, name]).filter(({ length }) => length <= LONGEST_NAME)
}
