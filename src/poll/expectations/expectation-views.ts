import { SEEN_RESOURCES, type SeenResource } from '../../model/expectation.ts'
import type { JsonObject } from '../../model/json.ts'
import { namedShipments, orderLines } from '../../model/order-fate.ts'
import type { RecordState } from '../../model/record-state.ts'
import { shipmentIdOf } from '../../model/shipment.ts'
import type { ExpectationView } from '../../route/expectation/expectation-view.ts'
import type { ExpectedKey, RelatedRecord } from '../../store/ports/expectation-port.ts'
import type { PollStore } from '../../store/ports/store.ts'

/** A record with what belongs to it. */
export interface JoinedRecord {
  readonly key: ExpectedKey
  readonly state: RecordState
  readonly view: ExpectationView
  /** The tracking of a shipment; null: none was ever read. */
  readonly tracking: RecordState | null
  /** The shipment that the record belongs to, or is; null: none is known. */
  readonly shipment: RecordState | null
}

type Source = Pick<PollStore, 'records' | 'related'>

interface Asked {
  readonly account: string
  readonly timeZone: string
}

/** Records with what belongs to them, as events have reported it; those that are not known are left out. */
export async function joinedRecords(
  store: Source,
  { account, timeZone }: Asked,
  keys: readonly ExpectedKey[],
): Promise<readonly JoinedRecord[]> {
  const known = new KnownStates(store, account)
  await known.load(keys)
  const related = await store.related(account, {
    records: keys.filter(({ resource }) => resource !== 'shipment'),
    shipments: [...new Set(keys.flatMap((key) => shipmentsOf(key, known.of(key))))],
  })
  await known.load(related.filter((each) => isWanted(each, keys)))
  const join = joiner(known, related, timeZone)
  return keys.map(join).filter((record) => record !== null)
}

/** Joins a record with what belongs to it, as far as that is known; null: the record is not. */
export function joiner(
  known: RecordLookup,
  related: readonly RelatedRecord[],
  timeZone: string,
): (key: ExpectedKey) => JoinedRecord | null {
  const join = new Join(known, related, timeZone)
  return (key) => {
    const state = known.of(key)
    return state === null || state.reported === null ? null : join.of(key, state, state.reported)
  }
}

/** Records as they are known. */
interface RecordLookup {
  of(key: { readonly resource: string; readonly id: string }): RecordState | null
}

/** Whether a record has to be loaded: what belongs to a shipment is looked at where the shipment is asked for itself. */
function isWanted({ resource, shipment }: RelatedRecord, keys: readonly ExpectedKey[]): boolean {
  return resource === 'shipment' || keys.some((key) => key.resource === 'shipment' && key.id === shipment)
}

/** The shipments that a record is, belongs to or is assigned to. */
export function shipmentsOf(
  { id, resource }: { readonly resource: string; readonly id: string },
  state: RecordState | null,
): readonly string[] {
  if (resource === 'shipment' || resource === 'tracking') return [id]
  return state?.reported == null ? [] : shipmentsNamedBy(resource, state.reported)
}

/** The shipments that a record names: an order those that its lines are assigned to, anything else its own. */
export function shipmentsNamedBy(resource: string, record: JsonObject): readonly string[] {
  if (resource !== 'purchase_order') return [shipmentIdOf(record, null)].filter((id) => id !== null)
  return namedShipments(orderLines(record))
}

/** Records as the store knows them, each loaded once. */
class KnownStates implements RecordLookup {
  readonly #store: Source
  readonly #account: string
  readonly #states = new Map<string, RecordState>()

  constructor(store: Source, account: string) {
    this.#store = store
    this.#account = account
  }

  async load(keys: readonly { readonly resource: string; readonly id: string }[]): Promise<void> {
    for (const resource of SEEN_RESOURCES) {
      const ids = keys.filter((key) => key.resource === resource && !this.#states.has(keyOf(key))).map(({ id }) => id)
      if (ids.length === 0) continue
      const found = await this.#store.records(this.#account, resource, [...new Set(ids)])
      for (const state of found.values()) this.#states.set(keyOf(state), state)
    }
  }

  of(key: { readonly resource: string; readonly id: string }): RecordState | null {
    return this.#states.get(keyOf(key)) ?? null
  }
}

/** A record's name among those of an account. */
export function keyOf({ id, resource }: { readonly resource: string; readonly id: string }): string {
  return `${resource} ${id}`
}

class Join {
  readonly #known: RecordLookup
  readonly #related: ReadonlyMap<string | null, readonly RelatedRecord[]>
  readonly #timeZone: string

  constructor(known: RecordLookup, related: readonly RelatedRecord[], timeZone: string) {
    this.#known = known
    this.#related = Map.groupBy(related, ({ shipment }) => shipment)
    this.#timeZone = timeZone
  }

  of(key: ExpectedKey, state: RecordState, reported: JsonObject): JoinedRecord {
    const timeZone = this.#timeZone
    switch (key.resource) {
      case 'shipment': {
        const found = this.#ofShipment(key.id)
        const records = (resource: SeenResource) => this.#shown(found.filter((each) => each.resource === resource))
        const tracking = this.#known.of({ resource: 'tracking', id: key.id })
        const seen = {
          shipment: reported,
          tracking: shownOf(tracking) ?? {},
          documents: records('document'),
          invoices: records('invoice'),
          orders: records('purchase_order'),
        }
        return { key, state, tracking, shipment: state, view: { records: seen, changedAt: lastOf(found), timeZone } }
      }
      case 'purchase_order': {
        const found = shipmentsNamedBy('purchase_order', reported).flatMap((id) => this.#itself(id))
        const changedAt = lastOf([...this.#own(key), ...found])
        const view = { records: { order: reported, shipments: this.#shown(found) }, changedAt, timeZone }
        return { key, state, tracking: null, shipment: null, view }
      }
      case 'invoice': {
        const [owner = null] = shipmentsNamedBy('invoice', reported)
        const found = owner === null ? [] : this.#itself(owner)
        const shipment = owner === null ? null : this.#known.of({ resource: 'shipment', id: owner })
        const changedAt = lastOf([...this.#own(key), ...found])
        const view = { records: { invoice: reported, shipment: shownOf(shipment) ?? {} }, changedAt, timeZone }
        return { key, state, tracking: null, shipment, view }
      }
      default:
        return key.resource satisfies never
    }
  }

  #own({ id, resource }: ExpectedKey): readonly RelatedRecord[] {
    return (this.#related.get(null) ?? []).filter((each) => each.id === id && each.resource === resource)
  }

  #itself(shipment: string): readonly RelatedRecord[] {
    return (this.#related.get(shipment) ?? []).filter(({ resource }) => resource === 'shipment')
  }

  /** What was found for a shipment and is of it by its own words. */
  #ofShipment(shipment: string): readonly RelatedRecord[] {
    return (this.#related.get(shipment) ?? []).filter((each) => {
      const state = this.#known.of(each)
      return state !== null && shipmentsOf(each, state).includes(shipment)
    })
  }

  #shown(found: readonly RelatedRecord[]): readonly JsonObject[] {
    return found.map((each) => shownOf(this.#known.of(each))).filter((record) => record !== null)
  }
}

/** A record as events have reported it; null: it is not there. */
function shownOf(state: RecordState | null): JsonObject | null {
  return state === null || state.removedAt !== null ? null : state.reported
}

function lastOf(found: readonly RelatedRecord[]): ExpectationView['changedAt'] {
  const last: Partial<Record<SeenResource, number>> = {}
  for (const { changedAt, resource } of found) {
    const seen = SEEN_RESOURCES.find((each) => each === resource)
    if (seen === undefined || changedAt === null) continue
    last[seen] = Math.max(changedAt, last[seen] ?? changedAt)
  }
  return last
}
