import { parseInstant } from '../../model/instant.ts'
import { isJsonArray, isJsonObject, nestsDeeperThan, type Json, type JsonObject } from '../../model/json.ts'
import { formatPointer } from '../../model/pointer.ts'
import type { RecordResource } from '../../model/resource.ts'
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

/**
 * Compares what a list shows of records with what fetches by id show. The two may show different fields, or write one in two ways: a field
 * counts once samples have shown that both write it alike, as nearly always. A state of the interface, and a date that is days off, count at
 * once: nobody writes those in two ways. What is compared by meaning, and what is ignored, is as between two reads.
 */
export class ShownFields {
  readonly #resource: RecordResource
  readonly #ignore: readonly string[]
  readonly #fields = new Map<string, FieldRecord>()

  constructor(resource: RecordResource, ignore: readonly string[]) {
    this.#resource = resource
    this.#ignore = ignore
  }

  /** The differences that count, as texts that are equal for the same two values; null: the fetch cannot be compared. */
  differences(shown: ShownTwice): readonly string[] | null {
    const found = this.#compare(shown)
    return found === null ? null : found.filter((change) => this.#counts(change)).map(canonicalChange)
  }

  /** Judges a sample by those before it, and learns from it which fields both show. */
  sample(shown: ShownTwice): readonly string[] | null {
    const found = this.#compare(shown)
    if (found === null) return null
    const counting = found.filter((change) => this.#counts(change)).map(canonicalChange)
    this.#learn(shown, new Set(found.map(({ path }) => generalised(path))))
    return counting
  }

  /** Whether a record that differed may differ still, by a field of which nothing is learnt yet too. */
  mayDiffer(shown: ShownTwice): boolean {
    const found = this.#compare(shown)
    return found?.some((change) => this.#counts(change) || this.#mayCount(change)) ?? true
  }

  #compare({ fetched, listed }: ShownTwice): readonly LeafChange[] | null {
    if (nestsDeeperThan(fetched, DEEPEST)) return null
    const view = comparedView(RESOURCE_RULES[this.#resource].shape, this.#ignore)
    return compare(view.shape, view.of(listed), view.of(fetched))
  }

  #counts(change: LeafChange): boolean {
    const path = generalised(change.path)
    if (isEvident(this.#resource, path, change)) return true
    const { agreed, differed } = this.#fields.get(path) ?? ANY_FIELD
    return agreed >= LEAST_AGREED && agreed >= LEAST_RATIO * differed
  }

  #mayCount({ from, path, to }: LeafChange): boolean {
    const { agreed, differed } = this.#fields.get(generalised(path)) ?? ANY_FIELD
    return from !== null && to !== null && agreed + differed < LEAST_AGREED
  }

  #learn({ fetched, listed }: ShownTwice, differing: ReadonlySet<string>): void {
    const shownByList = shownPaths(listed)
    const both = [...shownPaths(fetched)].filter((path) => shownByList.has(path))
    for (const path of both) if (!differing.has(path)) this.#field(path).agreed += 1
    for (const path of differing) this.#field(path).differed += 1
  }

  #field(path: string): FieldRecord {
    const known = this.#fields.get(path)
    if (known !== undefined) return known
    const field = { agreed: 0, differed: 0 }
    if (this.#fields.size < MOST_FIELDS) this.#fields.set(path, field)
    return field
  }
}

/** The states that the interface names. */
const STATES: Readonly<Partial<Record<RecordResource, Readonly<Record<string, ReadonlySet<string>>>>>> = {
  shipment: {
    '/status': words('booking_request awaiting_booking booked draft in_progress finished cancelled'),
    '/invoice_status': words('available awaiting_invoice due paid partially_paid'),
    '/main_tracking_dates/pickup_date/status': words('estimated actual planned problem'),
    '/main_tracking_dates/departure_date/status': words('estimated actual planned problem'),
    '/main_tracking_dates/arrival_date/status': words('estimated actual planned problem'),
    '/main_tracking_dates/delivery_date/status': words('estimated actual planned problem'),
  },
  invoice: {
    '/status': words('available due in_modification litigious new paid partially_paid write_off'),
  },
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

/** Dates that are further apart than zones and halves of days explain. */
const FAR_MS = 26 * 3_600_000

/** Whether two values cannot be one, however a platform writes it. */
function isEvident(resource: RecordResource, path: string, { from, to }: LeafChange): boolean {
  if (typeof from !== 'string' || typeof to !== 'string') return false
  const states = STATES[resource]?.[path]
  if (states !== undefined) return states.has(from) && states.has(to)
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

/** A pointer with `*` for elements. */
function generalised(path: string): string {
  return path.replaceAll(/\/\d+(?=\/|$)/g, '/*')
}
