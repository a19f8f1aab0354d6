import type { Clock } from '../../../src/clock.ts'
import type { Exchange } from '../../../src/model/exchange.ts'
import type { JsonObject } from '../../../src/model/json.ts'
import type { Page, RecordRow } from '../../../src/platform/outcome.ts'
import { FakePlatform, type ItemAsked, type PageAsked, type Shown } from '../../support/fake-platform.ts'
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
export class ScenarioPlatform extends FakePlatform {
  readonly #scenario: Scenario
  readonly #sightings: Sightings
  readonly #byId: ReadonlyMap<string, Course>
  /** What was rendered last; a record that did not change is the same object. */
  readonly #rendered: Readonly<Record<Channel, Map<Course, { readonly count: number; readonly record: JsonObject }>>> =
    {
      list: new Map(),
      tracking: new Map(),
    }
  /** The row of each record that was rendered: a page of a hundred is read thousands of times. */
  readonly #rows = new WeakMap<JsonObject, RecordRow>()

  constructor(options: {
    readonly clock: Clock
    readonly scenario: Scenario
    readonly sightings: Sightings
    /** Told of each request. */
    readonly note: (asked: Asked) => void
  }) {
    const { clock, note, scenario, sightings } = options
    super(clock)
    this.latencyMs = LATENCY
    this.bytes = 1_000
    this.onRequest = (asked, sentAt) => note({ sentAt, unit: asked.id === null ? asked.skip : this.#course(asked.id) })
    this.#scenario = scenario
    this.#sightings = sightings
    this.#byId = new Map(scenario.courses.map((course) => [course.id, course]))
  }

  protected override page({ resource, skip, take }: PageAsked, { sentAt, answeredAt }: Exchange): Shown<Page> {
    const at = sentAt + LATENCY / 2
    const courses = resource === 'shipment' ? this.#scenario.listAt(at).slice(skip, skip + take) : []
    const rows = courses.map((course) => this.#rowOf(course, this.#show(course, 'list', { at, answeredAt })))
    const shown = courses.map((course) => `${course.id} ${this.#sightings.shown(course, 'list')}`)
    return { value: { rows, ...ID_FIELD }, validator: { contentHash: shown.join(), etag: null } }
  }

  protected override record({ resource, id }: ItemAsked, { sentAt, answeredAt }: Exchange): Shown<JsonObject> {
    const course = this.#course(id)
    const channel = resource === 'tracking' ? 'tracking' : 'list'
    const value = this.#show(course, channel, { at: sentAt + LATENCY / 2, answeredAt })
    return { value, validator: { contentHash: String(this.#sightings.shown(course, channel)), etag: null } }
  }

  #rowOf({ id }: Course, record: JsonObject): RecordRow {
    const made = this.#rows.get(record) ?? recordRow(id, record)
    this.#rows.set(record, made)
    return made
  }

  #course(id: string): Course {
    const course = this.#byId.get(id)
    if (course === undefined) throw new Error(`nobody can know ${id}`)
    return course
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
