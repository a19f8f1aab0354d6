import type { Clock } from '../../../src/clock.ts'
import type { Exchange } from '../../../src/model/exchange.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import type { Validator } from '../../../src/model/validator.ts'
import type { Outcome, Page, Unchanged } from '../../../src/platform/outcome.ts'
import type {
  FetchedResource,
  ItemRequest,
  ListedResource,
  PageRequest,
  Platform,
} from '../../../src/platform/platform.ts'
import { recordRow } from '../../support/record-row.ts'
import { LATENCY } from './budget.ts'
import type { Channel, Course, Scenario } from './scenario.ts'
import type { Sightings } from './sightings.ts'

/** A request as the platform got it. */
export interface Asked {
  readonly sentAt: number
  /** The page, or the shipment whose tracking was asked for. */
  readonly unit: number | Course
}

/** The platform of a scenario without a wire; each answer takes its time on the simulated clock. */
export class SimulatedPlatform implements Platform {
  readonly #clock: Clock
  readonly #note: (asked: Asked) => void
  readonly #scenario: Scenario
  readonly #sightings: Sightings
  readonly #byId: ReadonlyMap<string, Course>
  /** What was rendered last; a record that did not change is the same object. */
  readonly #rendered: Readonly<Record<Channel, Map<Course, { readonly count: number; readonly record: JsonObject }>>> =
    {
      list: new Map(),
      tracking: new Map(),
    }

  constructor(options: {
    readonly clock: Clock
    readonly scenario: Scenario
    readonly sightings: Sightings
    /** Told of each request. */
    readonly note: (asked: Asked) => void
  }) {
    const { clock, note, scenario, sightings } = options
    this.#clock = clock
    this.#note = note
    this.#scenario = scenario
    this.#sightings = sightings
    this.#byId = new Map(scenario.courses.map((course) => [course.id, course]))
  }

  async list(
    resource: ListedResource,
    { skip, take, known = null }: PageRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<Page | Unchanged>> {
    const what = `${resource}s?skip=${skip}&take=${take}`
    return this.#answer<Page | Unchanged>(what, { unit: skip, signal }, (exchange, at) => {
      const courses = resource === 'shipment' ? this.#scenario.listAt(at).slice(skip, skip + take) : []
      const rows = courses.map((course) =>
        recordRow(course.id, this.#show(course, 'list', { at, answeredAt: exchange.answeredAt })),
      )
      if (rows.length === 0) return { kind: 'empty', exchange: { ...exchange, status: 404 } }
      const validator = validatorOf(
        courses.map((course) => `${course.id} ${this.#sightings.shown(course, 'list')}`).join(),
      )
      if (known?.contentHash === validator.contentHash) return { kind: 'ok', value: 'unchanged', exchange, validator }
      return { kind: 'ok', value: { rows, ...ID_FIELD }, exchange, validator }
    })
  }

  async reread(
    resource: FetchedResource,
    { id, known }: ItemRequest,
    signal?: AbortSignal,
  ): Promise<Outcome<JsonObject | Unchanged>> {
    const outcome = await this.item(resource, id, signal)
    if (outcome.kind !== 'ok') return outcome
    const course = this.#byId.get(id)
    const channel = resource === 'tracking' ? 'tracking' : 'list'
    const validator = validatorOf(String(course === undefined ? 0 : this.#sightings.shown(course, channel)))
    return known?.contentHash === validator.contentHash
      ? { ...outcome, value: 'unchanged', validator }
      : { ...outcome, validator }
  }

  async item(resource: FetchedResource, id: string, signal?: AbortSignal): Promise<Outcome<JsonObject>> {
    const course = this.#byId.get(id)
    if (course === undefined) throw new Error(`nobody can know ${id}`)
    return this.#answer(`${resource}/${id}`, { unit: course, signal }, (exchange, at) => {
      const channel = resource === 'tracking' ? 'tracking' : 'list'
      const value = this.#show(course, channel, { at, answeredAt: exchange.answeredAt })
      return { kind: 'ok', value, exchange }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #answer<T>(
    what: string,
    { unit, signal }: { readonly unit: number | Course; readonly signal: AbortSignal | undefined },
    make: (exchange: Exchange, at: number) => Outcome<T>,
  ): Promise<Outcome<T>> {
    const sentAt = this.#clock.now()
    this.#note({ sentAt, unit })
    await this.#clock.sleep(LATENCY, signal)
    signal?.throwIfAborted()
    const answeredAt = this.#clock.now()
    const exchange = { method: 'GET', path: `/v1/${what}`, sentAt, answeredAt, status: 200, bytes: 1_000 }
    return make(exchange, sentAt + LATENCY / 2)
  }

  #show(course: Course, channel: Channel, read: { readonly at: number; readonly answeredAt: number }): JsonObject {
    const count = this.#sightings.show(course, channel, read)
    const known = this.#rendered[channel].get(course)
    if (known?.count === count) return known.record
    const record = course.render[channel](count)
    this.#rendered[channel].set(course, { count, record })
    return record
  }
}

const ID_FIELD = { shipmentIdField: 'platform_shipment_id', certainIdField: 'platform_shipment_id' }

function validatorOf(shown: string): Validator {
  return { contentHash: shown, etag: null }
}
