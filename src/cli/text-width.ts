import { createRequire } from 'node:module'
import { once } from '../once.ts'

type Measure = (text: string) => number

/** Nothing but characters that take one column each: those of English and its neighbours, and what stands for nothing. */
const PLAIN = /^[ -~–→…\u{A1}-\u{AC}\u{AE}-\u{17F}]*$/u

const measure = once((): Measure => {
  const loaded: { readonly default: Measure } = createRequire(import.meta.url)('string-width')
  return loaded.default
})

/** How many columns of a terminal a text takes. What knows all scripts takes some 40 ms to load, and few texts need it. */
export function textWidth(text: string): number {
  return PLAIN.test(text) ? text.length : measure()(text)
}
