import type { Slice } from '../world/shelf.ts'

const DEFAULT_TAKE = 10
const LARGEST_TAKE = 100

/** `skip` and `take` of a list, `take` clamped to 100; or the sentence that says what is wrong with them. */
export function readSlice(query: (name: string) => string | undefined): Slice | { readonly problem: string } {
  const skip = readCount('skip', query('skip') ?? '0')
  const take = readCount('take', query('take') ?? String(DEFAULT_TAKE))
  if (typeof skip === 'string') return { problem: skip }
  if (typeof take === 'string') return { problem: take }
  return { skip, take: Math.min(take, LARGEST_TAKE) }
}

function readCount(name: string, text: string): number | string {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(value)) return value
  return `The query parameter ${name} must be a whole number of 0 or more, not ${JSON.stringify(text.slice(0, 40))}.`
}
