import * as fc from 'fast-check'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'

/** A source of choices below a bound. */
type Choose = (bound: number) => number

const OFFSETS = [0, 120, -330, 765] as const
const NOTHINGS: readonly Json[] = [null, '', [], {}]
const IDENTIFIERS = /(?:_id|_number|_references|^number|^reference|master_bill|voyage|^id|_ids|^zip_code|^phone)$/

/** Arrays whose order tells. */
const SEQUENCES = new Set(['ocean_coordinates'])

/** The same record rendered otherwise: nothing that guarantee D2 calls a change. */
export function rerendered(record: JsonObject): fc.Arbitrary<JsonObject> {
  return fc.infiniteStream(fc.nat(1_000)).map((stream) => {
    const choose: Choose = (bound) => (stream.next().value ?? 0) % bound
    const value = render(record, '', choose)
    return isJsonObject(value) ? value : {}
  })
}

function render(value: Json, name: string, choose: Choose): Json {
  if (isJsonArray(value)) {
    const elements = value.map((each) => render(each, name, choose))
    return SEQUENCES.has(name) ? elements : shuffled(withNothings(elements, choose), choose)
  }
  if (isJsonObject(value)) return renderObject(value, choose)
  if (typeof value === 'string') return renderText(value, name, choose)
  if (typeof value === 'number' && !Number.isInteger(value)) return value * (1 + choose(3) * Number.EPSILON)
  return value
}

function renderObject(value: JsonObject, choose: Choose): Json {
  const entries = Object.entries(value).map(([key, each]) => [key, render(each, key, choose)] as const)
  const extra = choose(4) === 0 ? [['nothing', NOTHINGS[choose(NOTHINGS.length)] ?? null] as const] : []
  return Object.fromEntries(shuffled([...entries, ...extra], choose))
}

function withNothings(values: readonly Json[], choose: Choose): readonly Json[] {
  return choose(4) === 0 ? [...values, NOTHINGS[choose(NOTHINGS.length)] ?? null] : values
}

function renderText(value: string, name: string, choose: Choose): Json {
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return withOffset(value, OFFSETS[choose(OFFSETS.length)] ?? 0)
  if (/^[1-9]\d*$/.test(value) && IDENTIFIERS.test(name) && choose(2) === 0) return Number(value)
  if (name === 'description' && /^(?:Gate in|Loaded)$/.test(value))
    return choose(2) === 0 ? ` ${value.toUpperCase()}` : value
  return value
}

function withOffset(instant: string, minutes: number): string {
  const local = new Date(Date.parse(instant) + minutes * 60_000).toISOString().slice(0, -1)
  return `${local}${minutes < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`
}

function shuffled<T>(values: readonly T[], choose: Choose): readonly T[] {
  const rest = [...values]
  return values.flatMap(() => rest.splice(choose(rest.length), 1))
}

function pad(number: number): string {
  return String(Math.trunc(Math.abs(number))).padStart(2, '0')
}
