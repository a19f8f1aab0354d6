import { isJsonArray, isJsonObject, type Json } from '../../src/model/json.ts'
import { parsePointer } from '../../src/model/pointer.ts'

/** How often each leaf occurs, by its path with `*` for indexes and its meaning. Written apart from the code it checks. */
export type LeafBag = ReadonlyMap<string, number>

const IGNORED = /^\/(?:usd_to_eur_rate|link)$/

export function leafBag(record: Json): LeafBag {
  const bag = new Map<string, number>()
  collect(record, '', bag)
  return bag
}

/** The bag with a leaf more or, by -1, less. */
export function addLeaf(bag: LeafBag, { path, value }: { path: string; value: Json }, count: 1 | -1): LeafBag {
  const key = leafKey(path, value)
  if (key === null) return bag
  const next = new Map(bag)
  const total = (next.get(key) ?? 0) + count
  if (total === 0) next.delete(key)
  else next.set(key, total)
  return next
}

/** A pointer with `*` for indexes. */
export function anyIndex(pointer: string): string {
  return parsePointer(pointer)
    .map((token) => `/${/^\d+$/.test(token) ? '*' : token}`)
    .join('')
}

function collect(value: Json, path: string, bag: Map<string, number>): void {
  if (isJsonArray(value)) for (const each of value) collect(each, `${path}/*`, bag)
  else if (isJsonObject(value)) for (const [name, each] of Object.entries(value)) collect(each, `${path}/${name}`, bag)
  else {
    const key = leafKey(path, value)
    if (key !== null) bag.set(key, (bag.get(key) ?? 0) + 1)
  }
}

function leafKey(path: string, value: Json): string | null {
  if (value === null || value === '' || IGNORED.test(path)) return null
  return `${path} ${meaning(path, value)}`
}

function meaning(path: string, value: Json): string {
  if (/events\/\*\/(?:description|container_number)$/.test(path)) return render(value).toLowerCase().replaceAll(' ', '')
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return String(Date.parse(value))
  if (typeof value === 'number') return String(Number(value.toPrecision(12)))
  return render(value)
}

function render(scalar: Json): string {
  return typeof scalar === 'string' ? scalar : JSON.stringify(scalar)
}
