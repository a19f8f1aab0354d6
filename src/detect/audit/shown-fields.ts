import { parseInstant } from '../../model/instant.ts'
import { isJsonArray, isJsonObject, nestsDeeperThan, type Json, type JsonObject } from '../../model/json.ts'
import { formatPointer, generalised } from '../../model/pointer.ts'
import { INVOICE_STATUSES } from '../../model/invoice.ts'
import type { RecordResource } from '../../model/resource.ts'
import {
  DATE_FIELDS,
  DATE_STATUSES,
  MILESTONES,
  NAMED_SHIPMENT_STATUSES,
  SHIPMENT_INVOICE_STATUSES,
} from '../../model/shipment.ts'
import { readDay } from '../../model/iso-time.ts'
import { DEEPEST } from '../detect-input.ts'
import { compare } from '../compare/compare.ts'
import { canonicalChange, type LeafChange } from '../compare/leaf-change.ts'
import { comparedView } from '../ignore/compared-view.ts'
import { RESOURCE_RULES } from '../resource-rules.ts'

/** A record as its list shows it and as a fetch by its id does. */
export interface ShownTwice {
  readonly listed: JsonObject
  readonly fetched: JsonObject
}

/** What samples have shown of a field, by its pointer with `*` for elements. */
interface FieldRecord {
  /** Samples in which the list and the fetch showed one value. */
  agreed: number
  /** Samples in which they did not, or one of the two showed none. */
  differed: number
}

/** How many samples have to show one value of a field before another one means anything. */
const LEAST_AGREED = 5
/** How many times as many samples have to agree as differ: lists and items write some fields in different ways. */
const LEAST_RATIO = 4
/** What is remembered of a platform that invents a field for every record. */
const MOST_FIELDS = 1_000
const ANY_FIELD: FieldRecord = { agreed: 0, differed: 0 }

/** Two values of which only one can be what the platform has. */
export interface ShownDifference {
  /** A text that is equal for the same two values of the same field. */
  readonly text: string
  /** The pointer of the field, with `*` for elements. */
  readonly field: string
}

/**
 * Compares what a list shows of records with what fetches by id show. The two may show different fields, or write one in two ways: a field
 * counts once samples have shown that both write it alike, as nearly always, and from then on. A state of the interface, and a date that is
 * days off, count at once: nobody writes those in two ways. What is compared by meaning, and what is ignored, is as between two reads.
 */
export class ShownFields {
  readonly #resource: RecordResource
  readonly #ignore: readonly string[]
  readonly #fields = new Map<string, FieldRecord>()

  constructor(resource: RecordResource, ignore: readonly string[]) {
    this.#resource = resource
    this.#ignore = ignore
  }

  /** The differences that count; null: the fetch cannot be compared. */
  differences(shown: ShownTwice): readonly ShownDifference[] | null {
    const found = this.#compare(shown)
    return found === null ? null : found.filter((change) => this.#counts(change)).map(differenceOf)
  }

  /**
   * Judges a sample by those before it, and learns from it which fields both show. What counts is no other way to write a field. null: the
   * sample says nothing. Where too few samples have shown a field in both, two values of it may be old and new as well as two ways to write
   * one: that is no difference, and no agreement either.
   */
  sample(shown: ShownTwice): readonly ShownDifference[] | null {
    const found = this.#compare(shown)
    if (found === null) return null
    const counting = found.filter((change) => this.#counts(change)).map(differenceOf)
    const isOpen = counting.length === 0 && found.some((change) => this.#isOpen(change))
    this.#learn(shown, { counting, differing: found.map(({ path }) => generalised(path)) })
    return isOpen ? null : counting
  }

  /** Whether one of some fields differs, whatever is known of it: those of a record that was found stale. */
  differIn(fields: readonly string[], shown: ShownTwice): boolean {
    const found = this.#compare(shown)
    return found?.some(({ path }) => fields.includes(generalised(path))) ?? true
  }

  #compare({ fetched, listed }: ShownTwice): readonly LeafChange[] | null {
    if (nestsDeeperThan(fetched, DEEPEST)) return null
    const view = comparedView(RESOURCE_RULES[this.#resource].shape, this.#ignore)
    return compare(view.shape, view.of(listed), view.of(fetched)).filter((change) => !isCoarser(change))
  }

  #counts(change: LeafChange): boolean {
    const path = generalised(change.path)
    if (isEvident(this.#resource, path, change)) return true
    const { agreed, differed } = this.#fields.get(path) ?? ANY_FIELD
    return agreed >= LEAST_AGREED && agreed >= LEAST_RATIO * differed
  }

  /** Whether nobody can tell yet what two values of a field mean. */
  #isOpen({ from, path, to }: LeafChange): boolean {
    if (from === null || to === null) return false
    const { agreed, differed } = this.#fields.get(generalised(path)) ?? ANY_FIELD
    return agreed + differed < LEAST_AGREED
  }

  #learn(
    { fetched, listed }: ShownTwice,
    { counting, differing }: { readonly counting: readonly ShownDifference[]; readonly differing: readonly string[] },
  ): void {
    const shownByList = shownPaths(listed)
    const others = new Set(differing)
    for (const path of shownPaths(fetched))
      if (shownByList.has(path) && !others.has(path)) this.#field(path).agreed += 1
    for (const { field } of counting) others.delete(field)
    for (const path of others) this.#field(path).differed += 1
  }

  #field(path: string): FieldRecord {
    const known = this.#fields.get(path)
    if (known !== undefined) return known
    const field = { agreed: 0, differed: 0 }
    if (this.#fields.size < MOST_FIELDS) this.#fields.set(path, field)
    return field
  }
}

function differenceOf(change: LeafChange): ShownDifference {
  return { text: canonicalChange(change), field: generalised(change.path) }
}

/** Whether one of two values is the other one, written shorter: a text that is cut, a number that is rounded, a date without its time. */
function isCoarser({ from, to }: LeafChange): boolean {
  if (typeof from === 'number' && typeof to === 'number') return isRounded(from, to) || isRounded(to, from)
  if (typeof from !== 'string' || typeof to !== 'string') return false
  const [before, after] = [parseInstant(from), parseInstant(to)]
  if (before !== null && after !== null && Math.floor(before / MINUTE_MS) === Math.floor(after / MINUTE_MS)) return true
  if (readDay(from) !== null || readDay(to) !== null)
    return from.slice(0, DAY_CHARACTERS) === to.slice(0, DAY_CHARACTERS)
  return isCut(from, to) || isCut(to, from)
}

const MINUTE_MS = 60_000
const DAY_CHARACTERS = '2026-11-28'.length
/** A text of fewer characters is not cut but where it says so: it is another one. */
const LEAST_CUT = 20

function isCut(short: string, long: string): boolean {
  const kept = short.replace(/(?:…|\.{3})$/, '').trimEnd()
  const isLongEnough = kept.length >= LEAST_CUT || (kept.length > 0 && kept !== short.trimEnd())
  return isLongEnough && kept.length < long.length && long.startsWith(kept)
}

function isRounded(coarse: number, fine: number): boolean {
  const [, decimals = ''] = String(coarse).split('.')
  return Math.abs(coarse - fine) < 0.500_001 * 10 ** -decimals.length && !Number.isInteger(fine)
}

/** The states that the interface names. */
const STATES: Readonly<Partial<Record<RecordResource, Readonly<Record<string, readonly string[]>>>>> = {
  shipment: {
    '/status': NAMED_SHIPMENT_STATUSES,
    '/invoice_status': SHIPMENT_INVOICE_STATUSES,
    ...Object.fromEntries(
      MILESTONES.map((each) => [`/main_tracking_dates/${DATE_FIELDS[each]}/status`, DATE_STATUSES]),
    ),
  },
  invoice: { '/status': INVOICE_STATUSES },
}

/** Dates that are further apart than zones and halves of days explain. */
const FAR_MS = 26 * 3_600_000

/** Whether two values cannot be one, however a platform writes it. */
function isEvident(resource: RecordResource, path: string, { from, to }: LeafChange): boolean {
  if (typeof from !== 'string' || typeof to !== 'string') return false
  const states = STATES[resource]?.[path]
  if (states !== undefined) return states.includes(from) && states.includes(to)
  const [before, after] = [dateOf(from), dateOf(to)]
  return before !== null && after !== null && Math.abs(before - after) > FAR_MS
}

function dateOf(text: string): number | null {
  const day = readDay(text)
  return day === null ? parseInstant(text) : Date.parse(day)
}

/** The pointers of what a record shows, with `*` for elements; what is empty is not shown. */
function shownPaths(record: JsonObject): ReadonlySet<string> {
  const paths = new Set<string>()
  const walk = (value: Json, steps: readonly string[]): void => {
    if (paths.size >= MOST_FIELDS || steps.length > DEEPEST) return
    if (isJsonArray(value)) for (const each of value) walk(each, [...steps, '*'])
    else if (isJsonObject(value)) for (const [name, each] of Object.entries(value)) walk(each, [...steps, name])
    else if (value !== null && value !== '') paths.add(formatPointer(steps))
  }
  walk(record, [])
  return paths
}
