import { lineOf, sentenceOf } from '../../../message/message.ts'
import { saidEntry } from '../../../message/net/entry-words.ts'
import { ownerKey, ownersAmong } from '../../../message/net/event-owner.ts'
import { byWeight, netEntries } from '../../../message/net/net-entries.ts'
import type { NetEntry } from '../../../message/net/net-entry.ts'
import type { LoggedEvent } from '../../../model/event.ts'
import type { JsonObject } from '../../../model/json.ts'
import { fullPayload } from '../../../model/payload.ts'
import type { RecordKey } from '../../../store/ports/record-query-port.ts'
import type { DeskStore } from '../../admin-context.ts'
import { saidOnce } from '../parts/said-once.ts'
import { wording } from '../parts/time.ts'
import type { View } from '../show-page.ts'

/** What changed of one shipment, or of a record that belongs to none, since a moment. */
export interface Changed {
  readonly entry: NetEntry<LoggedEvent>
  /** The shipment as it was read last; null: it is none, or nothing of it is known. */
  readonly shipment: JsonObject | null
  /** The lines that say the heaviest of it, and how many changes have none. */
  readonly lines: ReturnType<typeof saidEntry>['lines']
  readonly unsaid: number
}

/** What changed since a moment, the heaviest first. */
export interface Changes {
  readonly changed: readonly Changed[]
  /** How many shipments and other records changed beside those. */
  readonly others: number
  /** How many of them are as they were before. */
  readonly returned: number
  /** How many of the events were looked at, where more rang since; null: all were. */
  readonly looked: number | null
  /** How many events rang since, roughly, where not all were looked at. */
  readonly rang: number
}

/** How many shipments are shown, and of how many events of one the records are read, too. */
const SHOWN = 30
/** How many lines say what became of one shipment. */
const MOST_LINES = 4
const MOST_READ = 6
/** How many events of one record are looked at where a few records are asked for. */
const MOST_OF_ONE = 50
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** From how long ago on nobody counts what rang. */
const COUNTED_MS = 8 * DAY_MS

export async function changesSince(since: number, view: View): Promise<Changes> {
  const { desk, now } = view
  const { events, isCut } = await desk.reports.recentEvents()
  const own = events.filter(({ timestamp }) => timestamp >= since)
  const isShort = isCut && own.length === events.length
  const { changed, heaviest, of } = cameTo(events, own)
  return {
    changed: await withRecords(heaviest, desk.store),
    others: Math.max(changed - SHOWN, 0),
    returned: of - changed,
    looked: isShort ? own.length : null,
    rang: isShort && now - since <= COUNTED_MS ? await rangSince(since, events, desk.store) : 0,
  }
}

/** What events come to: the heaviest entries, how many entries have changes, and how many there are. */
interface CameTo {
  readonly heaviest: readonly NetEntry<LoggedEvent>[]
  readonly changed: number
  readonly of: number
}

/** What events come to, held for as long as nothing else rings. */
const CAME_TO = new WeakMap<readonly LoggedEvent[], Map<number, CameTo>>()

/** What those of `events` come to that rang since a moment: as many as they are, they are the newest. */
function cameTo(events: readonly LoggedEvent[], own: readonly LoggedEvent[]): CameTo {
  const held = heldFor(CAME_TO, events)
  const known = held.get(own.length)
  if (known !== undefined) return known
  const entries = [...Map.groupBy(own, ownersAmong(own, ownerOfEvent)).values()].map(netOf)
  const changed = entries.filter(({ changes }) => changes.length > 0)
  const heaviest = changed.toSorted(byWeightAndAge).slice(0, SHOWN)
  const came = { heaviest, changed: changed.length, of: entries.length }
  hold(held, own.length, came)
  return came
}

/** What is held by numbers for as long as events are. */
function heldFor<V>(
  of: WeakMap<readonly LoggedEvent[], Map<number, V>>,
  events: readonly LoggedEvent[],
): Map<number, V> {
  const held = of.get(events) ?? new Map<number, V>()
  of.set(events, held)
  return held
}

function hold<K, V>(held: Map<K, V>, key: K, value: V): void {
  if (held.size >= MOST_SPANS) held.clear()
  held.set(key, value)
}

/** What changed since a moment of some shipments and other records, the heaviest first: each by the newest of its events. */
export async function changesOf(
  keys: readonly RecordKey[],
  since: number,
  { desk: { store } }: View,
): Promise<readonly Changed[]> {
  const pages = await Promise.all(
    keys.map(
      async ({ account, id }) =>
        await store.eventPage({ account, subjectId: id, since, limit: MOST_OF_ONE, bare: true }),
    ),
  )
  // What an order says of its shipment joins what the shipment says.
  const told = pages
    .flatMap(({ items }) => items.filter(({ cause, expiredAt }) => cause !== 'test' && expiredAt === null))
    .toSorted((one, other) => other.timestamp - one.timestamp || other.sequence - one.sequence)
  const entries = [...Map.groupBy(told, ownerOfEvent).values()].map(netOf)
  return await withRecords(entries.filter(({ changes }) => changes.length > 0).toSorted(byWeightAndAge), store)
}

/** Owners and entries of events that are held from one page to the next: each is found out once. */
const OWNERS = new WeakMap<LoggedEvent, string>()
const NETS = new WeakMap<LoggedEvent, Map<string, NetEntry<LoggedEvent>>>()
/** How many moments are told apart for one shipment. */
const MOST_SPANS = 4

function ownerOfEvent(event: LoggedEvent): string {
  const known = OWNERS.get(event) ?? ownerKey(event)
  OWNERS.set(event, known)
  return known
}

/** What events of one owner come to, which are given newest first. */
function netOf(newestFirst: readonly LoggedEvent[]): NetEntry<LoggedEvent> {
  const [newest] = newestFirst
  const oldest = newestFirst.at(-1)
  if (newest === undefined || oldest === undefined) throw new Error('A group has an event.')
  const spans = NETS.get(newest) ?? new Map<string, NetEntry<LoggedEvent>>()
  // Events of an order may join those of a shipment, or leave them, between the same two.
  const key = `${newestFirst.length} ${oldest.id}`
  const known = spans.get(key)
  if (known !== undefined) return known
  const [entry] = netEntries(newestFirst.toReversed())
  if (entry === undefined) throw new Error('Events come to something.')
  hold(spans, key, entry)
  NETS.set(newest, spans)
  return entry
}

/** What weighs most first, then what is newest. */
function byWeightAndAge(one: NetEntry, other: NetEntry): number {
  return byWeight(one, other) || newestOf(other) - newestOf(one)
}

function newestOf({ events }: NetEntry): number {
  return events.at(-1)?.timestamp ?? 0
}

/** The entries in words, each with its shipment, which the lines do not name again. */
export async function withRecords(
  entries: readonly NetEntry<LoggedEvent>[],
  store: Pick<DeskStore, 'eventPage' | 'records'>,
): Promise<readonly Changed[]> {
  const ofAccounts = Map.groupBy(entries.filter(isOfShipment), ({ account }) => account ?? '')
  const found = await Promise.all(
    [...ofAccounts].map(async ([account, own]) => {
      const known = await store.records(
        account,
        'shipment',
        own.map(({ id }) => id),
      )
      return own.map((entry) => [entry, known.get(entry.id)?.seen ?? null] as const)
    }),
  )
  const shipments = new Map(found.flat())
  await readWhole(entries, store)
  return entries.map((entry) => {
    const whole = WHOLE.get(entry) ?? entry
    const unsaid = Math.max(whole.changes.length - MOST_LINES, 0)
    return { entry, shipment: shipments.get(entry) ?? null, lines: linesOf(whole), unsaid }
  })
}

const linesOf = saidOnce((entry: NetEntry<LoggedEvent>) => {
  const changes = entry.changes.slice(0, MOST_LINES)
  const { lines } = saidEntry({ ...entry, changes }, wording(), (event) =>
    (isOfShipment(entry) ? lineOf : sentenceOf)(fullPayload(event), wording()),
  )
  return lines
})

function isOfShipment({ resource }: Pick<NetEntry, 'resource'>): boolean {
  return resource === 'shipment'
}

/** Entries of events that show their records, which say what an invoice, a document or a location is called. */
const WHOLE = new WeakMap<NetEntry<LoggedEvent>, NetEntry<LoggedEvent>>()

/** Holds entries in `WHOLE`; an entry of many events stays bare but for some, and one that needs no record is not held. */
async function readWhole(
  entries: readonly NetEntry<LoggedEvent>[],
  store: Pick<DeskStore, 'eventPage'>,
): Promise<void> {
  const bare = entries.filter((entry) => !WHOLE.has(entry)).map((entry) => [entry, bareOf(entry)] as const)
  const wanted = bare.flatMap(([, events]) => events.map(({ id }) => id))
  if (wanted.length === 0) return
  const { items } = await store.eventPage({ ids: wanted, addressed: true, limit: wanted.length })
  const read = new Map(items.map((event) => [event.id, event]))
  for (const [entry, events] of bare) {
    if (events.length === 0) continue
    const [again = entry] = netEntries(entry.events.map((event) => read.get(event.id) ?? event))
    WHOLE.set(entry, again.changes.length === 0 ? entry : again)
  }
}

function bareOf({ events }: NetEntry<LoggedEvent>): readonly LoggedEvent[] {
  return events.filter(({ subject }) => NAMED.has(subject.resource)).slice(-MOST_READ)
}

/** What is known by a name that only the record says. */
const NAMED: ReadonlySet<string> = new Set(['invoice', 'document', 'location', 'purchase_order', 'order_preparation'])

/** How many events rang from an hour on, held for as long as nothing else rings: hours have a row for each account and type. */
const RANG = new WeakMap<readonly LoggedEvent[], Map<number, Promise<number>>>()

async function rangSince(
  since: number,
  events: readonly LoggedEvent[],
  store: Pick<DeskStore, 'eventHours'>,
): Promise<number> {
  const held = heldFor(RANG, events)
  const hour = Math.floor(since / HOUR_MS)
  const known = held.get(hour)
  if (known !== undefined) return await known
  const rang = countedSince(since, store)
  // A failure is nobody's answer for long.
  rang.catch(() => held.delete(hour))
  hold(held, hour, rang)
  return await rang
}

async function countedSince(since: number, store: Pick<DeskStore, 'eventHours'>): Promise<number> {
  const hours = await store.eventHours(since)
  const ofRecords = hours.filter(({ type }) => !/^(?:account|endpoint|shipbell)\./.test(type))
  return ofRecords.reduce((sum, { amount }) => sum + amount, 0)
}
