import { withoutRoot } from './hosts-file.ts'

/** What resolv.conf(5) says beside the servers, which c-ares reads itself. null: not said. */
export interface ResolvConf {
  readonly search: readonly string[] | null
  /** A name with fewer dots is searched for before it is taken as it stands. */
  readonly ndots: number
  readonly timeoutMs: number | null
  readonly attempts: number | null
}

/** Longer names fit in no question. */
const LONGEST_NAME = 253

/** What the C library takes at most. */
const MOST = { ndots: 15, timeout: 30, attempts: 5 }

/**
 * The file as the C library reads it: of several `search` and `domain` lines the last counts, and what is not understood is
 * skipped.
 */
export function parseResolvConf(text: string): ResolvConf {
  let search: readonly string[] | null = null
  const options = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [keyword = '', ...words] = line
      .replace(/[#;].*/s, '')
      .trim()
      .split(/\s+/)
    if (keyword === 'search') search = domainsOf(words)
    if (keyword === 'domain') search = domainsOf(words.slice(0, 1))
    if (keyword !== 'options') continue
    for (const word of words) {
      const [, option = '', value] = /^(ndots|timeout|attempts):(\d+)$/.exec(word) ?? []
      if (value !== undefined) options.set(option, Number(value))
    }
  }
  const numberOf = (option: keyof typeof MOST, least: number): number | null => {
    const value = options.get(option)
    return value === undefined ? null : Math.min(Math.max(value, least), MOST[option])
  }
  const timeout = numberOf('timeout', 1)
  return {
    search,
    ndots: numberOf('ndots', 0) ?? 1,
    timeoutMs: timeout === null ? null : timeout * 1_000,
    attempts: numberOf('attempts', 1),
  }
}

/** `search .` searches nowhere but at the root, where every name is asked for anyway. */
function domainsOf(words: readonly string[]): readonly string[] {
  return words.map((word) => withoutRoot(word.toLowerCase())).filter((domain) => domain !== '')
}

/** Which full names the DNS is asked for, one after another until one is known, as the C library has it. */
export function namesToAsk(
  name: string,
  { search, ndots }: { readonly search: readonly string[]; readonly ndots: number },
): readonly string[] {
  if (name.endsWith('.')) return [withoutRoot(name)]
  const dots = name.split('.').length - 1
  const searched = search.map((domain) => `${name}.${domain}`)
  return (dots >= ndots ? [name, ...searched] : [...searched, name]).filter(({ length }) => length <= LONGEST_NAME)
}
