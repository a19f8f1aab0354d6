import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts'
import type { Random } from '../../src/sandbox/random.ts'

const OFFSETS = [0, 120, -330, 765] as const
const NOTHINGS: readonly Json[] = [null, '', []]
const IDENTIFIERS = /(?:_id|_number|_references|^number|^reference|master_bill|voyage|^id|^zip_code|^phone)$/

/** The same facts as one answer may render them: nothing of it is a change (guarantee D2). */
export function render(facts: JsonObject, random: Random): JsonObject {
  const record = object(facts, random)
  return { ...record, ...volatile(facts, random) }
}

/** What is ignored by default changes with every answer. */
function volatile(facts: JsonObject, random: Random): JsonObject {
  if (Object.hasOwn(facts, 'size')) return { link: `https://files.example/?signed=${random.next()}` }
  return Object.hasOwn(facts, 'due_date') ? { usd_to_eur_rate: random.next() } : {}
}

function value(each: Json, name: string, random: Random): Json {
  if (each === null) return random.pick(NOTHINGS)
  if (isJsonArray(each)) return list(each, name, random)
  if (isJsonObject(each)) return object(each, random)
  if (typeof each === 'string') return text(each, name, random)
  if (typeof each === 'number' && !Number.isInteger(each)) return each * (1 + random.whole(0, 2) * Number.EPSILON)
  return each
}

function list(elements: readonly Json[], name: string, random: Random): Json {
  if (elements.length === 0) return random.pick([null, '', []])
  return shuffled(
    elements.map((each) => value(each, name, random)),
    random,
  )
}

function object(facts: JsonObject, random: Random): JsonObject {
  const present = Object.entries(facts).filter(([, each]) => each !== null || random.chance(0.5))
  const fields = present.map(([name, each]) => [name, value(each, name, random)] as const)
  return Object.fromEntries(random.chance(0.5) ? shuffled(fields, random) : fields)
}

function text(each: string, name: string, random: Random): Json {
  if (/^\d{4}-\d{2}-\d{2}T/.test(each)) return withOffset(each, random.pick(OFFSETS))
  if (/^[1-9]\d*$/.test(each) && IDENTIFIERS.test(name) && random.chance(0.5)) return Number(each)
  if (name === 'description' && !each.startsWith('Line')) return random.chance(0.3) ? ` ${each.toUpperCase()}` : each
  return each
}

function withOffset(instant: string, minutes: number): string {
  if (minutes === 0) return instant
  const local = new Date(Date.parse(instant) + minutes * 60_000).toISOString().slice(0, -1)
  const offset = [minutes / 60, minutes % 60].map((part) => String(Math.trunc(Math.abs(part))).padStart(2, '0'))
  return `${local}${minutes < 0 ? '-' : '+'}${offset.join(':')}`
}

function shuffled<T>(values: readonly T[], random: Random): readonly T[] {
  const rest = [...values]
  return values.flatMap(() => rest.splice(random.whole(0, rest.length - 1), 1))
}
