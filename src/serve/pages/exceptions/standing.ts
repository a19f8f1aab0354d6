import { exceptionState, type KeptException } from '../../../model/exception.ts'
import { parseInstant } from '../../../model/instant.ts'
import { textField, type JsonObject } from '../../../model/json.ts'
import { isRecordResource, type RecordResource } from '../../../model/resource.ts'
import type { RecordKey } from '../../../store/ports/record-query-port.ts'
import type { DeskStore } from '../../admin-context.ts'

/** What is not well of one record, the heaviest first. */
export interface Standing {
  readonly key: RecordKey
  /** The record as it was read last; null: nothing of it is known. */
  readonly record: JsonObject | null
  /** When an order is expected to be delivered, as it stands now; null: nobody knows, or the record is none. */
  readonly expectedAt: number | null
  /** The shipment of an invoice; null: the record is none, or names no shipment that is known. */
  readonly shipment: { readonly id: string; readonly object: JsonObject } | null
  readonly exceptions: readonly ToldException[]
}

export interface ToldException extends KeptException {
  /** What the event that opened it says beside the record; empty where that is not needed, or none did. */
  readonly told: JsonObject
}

/** Exceptions of records, each record once, in the order in which its first exception stands. */
export async function standingsOf(
  exceptions: readonly KeptException[],
  store: Pick<DeskStore, 'event' | 'records'>,
): Promise<readonly Standing[]> {
  const groups = [
    ...Map.groupBy(exceptions, ({ account, resource, subjectId }) =>
      JSON.stringify([account, resource, subjectId]),
    ).values(),
  ]
  const own = groups.flatMap((group) => {
    const [first] = group
    if (first === undefined || !isRecordResource(first.resource)) return []
    return [{ group, key: { account: first.account, resource: first.resource, id: first.subjectId } }]
  })
  const records = await recordsOf(
    own.map(({ key }) => key),
    store,
  )
  const invoiced = own.flatMap(({ key }) => shipmentKeyOf(key, records.get(keyText(key))?.seen ?? null) ?? [])
  const shipments = await recordsOf(invoiced, store)
  return await Promise.all(
    own.map(async ({ group, key }) => {
      const { expectedAt = null, seen: record = null } = records.get(keyText(key)) ?? {}
      const of = shipmentKeyOf(key, record)
      const object = of === null ? undefined : shipments.get(keyText(of))?.seen
      const told = await Promise.all(group.map(async (each) => ({ ...each, told: await toldOf(each, store) })))
      return {
        key,
        record,
        expectedAt,
        shipment: of === null || object === undefined ? null : { id: of.id, object },
        exceptions: told,
      }
    }),
  )
}

async function toldOf({ eventId, type }: KeptException, store: Pick<DeskStore, 'event'>): Promise<JsonObject> {
  if (eventId === null || type !== 'expectation.missed') return {}
  return (await store.event(eventId))?.extras ?? {}
}

function shipmentKeyOf({ account, resource }: RecordKey, record: JsonObject | null): RecordKey | null {
  const id = resource === 'invoice' && record !== null ? textField(record, 'platform_shipment_id') : null
  return id === null ? null : { account, resource: 'shipment', id }
}

type ReadRecord = Pick<Standing, 'expectedAt'> & { readonly seen: JsonObject }

async function recordsOf(
  keys: readonly RecordKey[],
  store: Pick<DeskStore, 'records'>,
): Promise<ReadonlyMap<string, ReadRecord>> {
  const lists = Map.groupBy(keys, ({ account, resource }) => JSON.stringify([account, resource]))
  const found = await Promise.all(
    [...lists.values()].map(async (list) => {
      const [{ account, resource } = { account: '', resource: 'shipment' as RecordResource }] = list
      const known = await store.records(account, resource, [...new Set(list.map(({ id }) => id))])
      return [...known].flatMap(([id, { memory, seen }]) => {
        if (seen === null) return []
        const expectedAt = parseInstant(memory.fate?.expected?.date)
        return [[keyText({ account, resource, id }), { expectedAt, seen }] as const]
      })
    }),
  )
  return new Map(found.flat())
}

function keyText({ account, id, resource }: RecordKey): string {
  return JSON.stringify([account, resource, id])
}

/** Records that need somebody, at most so many, and where to go on; null: there are no more. */
export interface OpenStandings {
  readonly standings: readonly Standing[]
  readonly next: string | null
}

/** How many records one page shows, and how often it asks for more exceptions where several are of one record. */
const MOST = 50
const MOST_PARTS = 5

interface OpenAsked {
  readonly cursor: string | null
  readonly now: number
}

/** What is open and what nobody sees to, by record: the heaviest and oldest first. */
export async function openStandings(store: DeskStore, { cursor, now }: OpenAsked): Promise<OpenStandings> {
  const ask = async (from: string | null, limit: number) =>
    await store.exceptionPage({
      now,
      states: ['open'],
      heaviestFirst: true,
      limit,
      ...(from !== null && { cursor: from }),
    })
  const shown: KeptException[] = []
  const subjects = new Set<string>()
  let next = cursor
  for (let part = 0; part < MOST_PARTS && subjects.size < MOST && (part === 0 || next !== null); part += 1) {
    const [from, room] = [next, MOST - subjects.size]
    let page = await ask(from, MOST)
    // The next page begins behind the last record that has room here.
    const end = endOfSubjects(page.items, subjects, room)
    if (end < page.items.length) page = await ask(from, end)
    const isWhole = cursor === null && part === 0 && page.next === null
    shown.push(...(isWhole ? page.items : await withOthers(page.items, store, now)))
    for (const each of shown) subjects.add(subjectText(each))
    next = page.next
  }
  return { standings: await standingsOf(distinct(shown), store), next }
}

/** How many of these exceptions are of records that are shown or for which there is room. */
function endOfSubjects(items: readonly KeptException[], shown: ReadonlySet<string>, room: number): number {
  const added = new Set<string>()
  for (const [nth, each] of items.entries()) {
    const subject = subjectText(each)
    if (!shown.has(subject)) added.add(subject)
    if (added.size > room) return nth
  }
  return items.length
}

/** More exceptions than any record has open. */
const MOST_OF_ONE = 200
/** How many exceptions of several records are read at once. */
const MOST_TOGETHER = 1_000

/** Exceptions with the others of their records, but for records that stood on a page before by a heavier or older one. */
async function withOthers(
  items: readonly KeptException[],
  store: Pick<DeskStore, 'exceptionPage'>,
  now: number,
): Promise<readonly KeptException[]> {
  const firsts = [...new Map(items.toReversed().map((each) => [subjectText(each), each])).values()].toReversed()
  const open = Map.groupBy(await openOf(firsts, store, now), subjectText)
  return firsts.flatMap((first) => {
    const own = heaviestFirst(open.get(subjectText(first)) ?? [])
    return own[0] === undefined || own[0].id === first.id ? (own.length === 0 ? [first] : own) : []
  })
}

/** What is open of the records of these, newest first: asked for together, because each question of its own is a round trip. */
async function openOf(
  firsts: readonly KeptException[],
  store: Pick<DeskStore, 'exceptionPage'>,
  now: number,
): Promise<readonly KeptException[]> {
  const subjectIds = [...new Set(firsts.map(({ subjectId }) => subjectId))]
  const found: KeptException[] = []
  let next: string | null | undefined
  for (let part = 0; part < MOST_PARTS && next !== null && subjectIds.length > 0; part += 1) {
    const from = next === undefined ? {} : { cursor: next }
    const page = await store.exceptionPage({ now, subjectIds, states: ['open'], limit: MOST_TOGETHER, ...from })
    found.push(...page.items)
    next = page.next
  }
  return found
}

function distinct(exceptions: readonly KeptException[]): readonly KeptException[] {
  return [...new Map(exceptions.map((each) => [each.id, each])).values()]
}

function subjectText({ account, resource, subjectId }: KeptException): string {
  return JSON.stringify([account, resource, subjectId])
}

const WEIGHTS = ['critical', 'warning', 'neutral', 'good'] as const

/** Exceptions that come the newest first, in the order in which all that is open is listed. */
function heaviestFirst(newestFirst: readonly KeptException[]): readonly KeptException[] {
  return newestFirst
    .toReversed()
    .toSorted(
      (one, other) => WEIGHTS.indexOf(one.severity) - WEIGHTS.indexOf(other.severity) || one.openedAt - other.openedAt,
    )
}

/** What is not well of one record, those that somebody sees to apart. */
export async function standingOfRecord(
  { account, id, resource }: RecordKey,
  { now, store }: { readonly now: number; readonly store: DeskStore },
): Promise<Readonly<Record<'open' | 'acknowledged', readonly ToldException[]>>> {
  const { items } = await store.exceptionPage({
    now,
    account,
    subjectId: id,
    states: ['open', 'acknowledged'],
    limit: MOST_OF_ONE,
  })
  const own = heaviestFirst(items.filter((each) => each.resource === resource))
  const told = await Promise.all(own.map(async (each) => ({ ...each, told: await toldOf(each, store) })))
  const { acknowledged = [], open = [] } = Object.groupBy(told, (each) => exceptionState(each, now))
  return { open, acknowledged }
}
