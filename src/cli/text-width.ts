import { createRequire } from 'node:module'

type Measure = (text: string) => number

/** Nothing but characters that take one column each. */
const PLAIN = /^[ -~…]*$/

let measure: Measure | null = null

/** How many columns of a terminal a text takes. What knows all scripts takes some 40 ms to load, and few texts need it. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  measure ??= loadMeasure()
  return measure(text)
}

function loadMeasure(): Measure {
  const loaded: { readonly default: Measure } = createRequire(import.meta.url)('string-width')
  return loaded.default
}
