import { wording } from './time.ts'

/** For how many wordings, each a language and a zone, what is said of one thing is held. */
const MOST_WORDINGS = 4

/**
 * What is said of things that are held from one page to the next, such as the newest events: each is put into words once for each
 * wording. Words of a thing that nobody holds any more go with it.
 */
export function saidOnce<T extends object, Said>(say: (thing: T) => Said): (thing: T) => Said {
  const held = new WeakMap<T, Map<string, Said>>()
  return (thing) => {
    const { language, timeZone } = wording()
    const key = `${language} ${timeZone}`
    const known = held.get(thing) ?? new Map<string, Said>()
    const before = known.get(key)
    if (before !== undefined) return before
    const said = say(thing)
    if (known.size >= MOST_WORDINGS) known.clear()
    held.set(thing, known.set(key, said))
    return said
  }
}
