import {
  deriveFate,
  mayMoveFate,
  mayMoveOrders,
  type DerivedFate,
  type MovedBy,
} from '../../detect/purchase-order/order-fate.ts'
import type { EventDraft } from '../../model/event.ts'
import type { SilentOpening } from '../../model/exception.ts'
import { idsOf, type Note, type ShipmentLink } from '../../model/note.ts'
import { assignedShipments, orderLines } from '../../model/order-fate.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { RecordWrite } from '../../store/ports/commit-port.ts'
import type { AccountContext } from '../account-context.ts'
import type { News } from '../committer.ts'
import { writeOf } from '../ingest/update-record.ts'
import { MOST_NOTES, type DerivedTopic } from './note-loop.ts'

/** What of a shipment its orders hear of. */
const SHIPMENT_PATHS = [
  '/main_tracking_dates/delivery_date',
  '/main_tracking_dates/arrival_date',
  '/main_tracking_dates',
  '/status',
]

/** The types of events that move an order whatever they show of it. */
const ASSIGNMENTS: ReadonlySet<string> = new Set(['purchase_order.assigned', 'purchase_order.unassigned'])

/** Other changes of an order that move it. What its lines only repeat of their shipments does not. */
const ORDER_PATHS =
  /^\/desired_delivery_date(?:\/|$)|^\/purchase_order_lines\/.*\/(?:ordered_quantity|assigned_quantity|reference)$/

/** How many notes are looked through for the events that moved orders, where more moved than are taken up at once. */
const MOST_REASONS = 10_000

/** The fate of orders: when they are expected, whether that is too late, whether they are whole and delivered. */
export class OrderTopic implements DerivedTopic {
  readonly topic = 'orders'
  readonly resources = ['purchase_order', 'shipment'] as const
  readonly subjects = ['purchase_order'] as const
  readonly settings = 'orders'
  readonly #context: AccountContext

  constructor(context: AccountContext) {
    this.#context = context
  }

  moves({ before, state }: RecordWrite): boolean {
    if (before === null || before.reported === null || state.reported === null) return state.reported !== null
    if (before.removedAt !== state.removedAt) return true
    if (before.reported === state.reported) return false
    const mayMove = state.resource === 'shipment' ? mayMoveOrders : mayMoveFate
    return mayMove(before.reported, state.reported)
  }

  explains({ cause, changes, subject, type }: EventDraft): boolean {
    if (cause !== 'change' && cause !== 'correction') return false
    if (changes === null || ASSIGNMENTS.has(type)) return true
    if (subject.resource === 'purchase_order') return changes.some(({ path }) => ORDER_PATHS.test(path))
    return changes.some(({ path }) => SHIPMENT_PATHS.some((own) => path === own || path.startsWith(`${own}/`)))
  }

  async derive(notes: readonly Note[]): Promise<News> {
    const { account, clock } = this.#context
    const orders = await this.#movedOrders(notes)
    const shipments = await this.#shipmentsOf(orders)
    const firedAt = clock.now()
    const derivedBy = (reasons: readonly Note[]) =>
      orders.map((order) => {
        const note = notes.find(({ id, resource }) => resource === 'purchase_order' && id === order.id)
        const movedBy = movedByOf(order, reasons)
        const by = { account: account.name, timeZone: account.timeZone, firedAt, order, shipments, movedBy }
        return { order, note, fate: deriveFate({ ...by, isNew: note?.isFresh === true }) }
      })
    const taken = derivedBy(notes)
    const rings = taken.some(({ fate }) => fate.events.length > 0)
    const derived = rings && notes.length >= MOST_NOTES ? derivedBy(await this.#reasons()) : taken
    const opens = derived.filter(isSilentlyAtRisk).map(({ order: { id } }) => openingOf(id, firedAt))
    const written = derived.filter(({ fate, order }) => fate.state !== order)
    return {
      records: written.map(({ fate, order }) => writeOfFate(order, fate)),
      events: derived.flatMap(({ fate }) => fate.events),
      provenance: { by: 'derived', resource: 'purchase_order', exchanges: [], timeZone: account.timeZone },
      changes: [{ kind: 'links', ...linksOf(written) }],
      ...(opens.length > 0 && { exceptions: { opens } }),
    }
  }

  /** All that is noted: a shipment that moved an order may be taken up after it. */
  async #reasons(): Promise<readonly Note[]> {
    const { account, committer } = this.#context
    return (await committer.store.noted(account.name, this.topic, MOST_REASONS)).notes
  }

  /** The orders that notes are of, and those of the shipments that notes are of. */
  async #movedOrders(notes: readonly Note[]): Promise<readonly RecordState[]> {
    const { account, committer } = this.#context
    const linked = await committer.store.linkedTo(account.name, idsOf('shipment', notes))
    const ids = linked.filter(({ resource }) => resource === 'purchase_order').map(({ id }) => id)
    const all = [...new Set([...idsOf('purchase_order', notes), ...ids])]
    return [...(await committer.store.records(account.name, 'purchase_order', all)).values()]
  }

  async #shipmentsOf(orders: readonly RecordState[]): Promise<ReadonlyMap<string, RecordState>> {
    const { account, committer } = this.#context
    const ids = new Set(orders.flatMap(({ reported }) => assignedShipments(orderLines(reported ?? {}))))
    return committer.store.records(account.name, 'shipment', [...ids])
  }
}

/** Whether an order stands at risk and nothing of it rang: at a first look, and where the topic began anew. */
function isSilentlyAtRisk({ fate, note, order }: Written & { readonly note: Note | undefined }): boolean {
  return fate.isQuietlyAtRisk && (order.memory.fate === undefined || note?.because === null)
}

function openingOf(id: string, at: number): SilentOpening {
  return { type: 'purchase_order.delivery_at_risk', subject: { resource: 'purchase_order', id }, at }
}

function movedByOf({ id, memory, reported }: RecordState, notes: readonly Note[]): readonly MovedBy[] {
  const shipments = new Set([...(memory.fate?.assigned ?? []), ...assignedShipments(orderLines(reported ?? {}))])
  const own = notes.filter((note) => (note.resource === 'purchase_order' ? note.id === id : shipments.has(note.id)))
  return own.map(({ because: eventId, id: moved, number, resource }) => ({
    shipmentId: resource === 'purchase_order' ? null : moved,
    eventId,
    number,
  }))
}

function writeOfFate(order: RecordState, { events, state }: DerivedFate): RecordWrite {
  const write = { contentHash: null, read: 'none' } as const
  return writeOf({ id: order.id, before: order, revision: { state, events, write } })
}

interface Written {
  readonly order: RecordState
  readonly fate: DerivedFate
}

function linksOf(written: readonly Written[]) {
  const found = written.flatMap(({ fate, order }) =>
    linksBeside(order.id, fate.fate?.assigned, order.memory.fate?.assigned),
  )
  const gone = written.flatMap(({ fate, order }) =>
    linksBeside(order.id, order.memory.fate?.assigned, fate.fate?.assigned),
  )
  return { found, gone }
}

/** The links of an order to shipments that are not among others. */
function linksBeside(
  id: string,
  shipments: readonly string[] = [],
  others: readonly string[] = [],
): readonly ShipmentLink[] {
  const known = new Set(others)
  return shipments
    .filter((shipment) => !known.has(shipment))
    .map((shipment) => ({ shipment, resource: 'purchase_order', id }))
}
