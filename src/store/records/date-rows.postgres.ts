import type { PlainRowOf } from '../tables/table.ts'
import { TABLES } from '../tables/tables.ts'
import {
  dateAfter,
  type DateAt,
  type DateKey,
  type DateRow,
  dateValues,
  nameOfDate,
  tellingsOf,
} from '../../ledger/dates.ts'
import type { EventDraft } from '../../model/event.ts'
import type { FreshEvent } from '../../ledger/events.ts'
import { jsonRows, type Look, type Part, writeTogether } from '../server/statement-parts.ts'
import type { RecordState } from '../../model/record-state.ts'
import { type Milestone, MILESTONES } from '../../model/shipment.ts'
import type { DateValue } from '../ports/record-query-port.ts'
import type { Transaction } from '../server/database.ts'
import { Query } from '../server/query.ts'
import { NO_ACCOUNT } from '../../model/account.ts'
import type { NotifiedDate, RoutingQuery, RoutingState } from '../../model/routing.ts'

/** The last date of each, and how far it is from its first one: null in all columns where there is none. */
const LOAD = `
  SELECT wanted.*, last.*, slips.first, slips.moved_at AS "movedAt", slips.revisions
  FROM unnest(:accounts::text[], :shipments::text[], :milestones::text[]) AS wanted (account, shipment, milestone)
    LEFT JOIN LATERAL (
      SELECT place, date, status, seen_at AS "seenAt", told_at AS "toldAt", event AS "eventId" FROM dates
      WHERE account = wanted.account AND shipment = wanted.shipment AND milestone = wanted.milestone
      ORDER BY place DESC LIMIT 1
    ) AS last ON true
    LEFT JOIN slips USING (account, shipment, milestone)`
const SLIP = TABLES.slips.without('ref')
const SAVE = `
  date AS (${TABLES.dates.insertAll({}, 'dates')}
  ), slip_gone AS (
    DELETE FROM slips USING json_to_recordset(:gone::json) AS row (account text, shipment text, milestone text)
    WHERE slips.account = row.account AND slips.shipment = row.shipment AND slips.milestone = row.milestone
  ), slip AS (
    ${SLIP.insertAll({}, 'slips')} ${SLIP.instead(['account', 'shipment', 'milestone'])}
  )`

type Nullable<T> = { readonly [K in keyof T]: T[K] | null }

type LoadedDate = DateKey & Nullable<DateRow> & Nullable<OldSlip>

type OldSlip = NonNullable<DateAt['slip']>

/** What is known of the dates that events may tell of. Their account is held. */
export function knownDates(events: readonly EventDraft[]): Look<LoadedDate> | null {
  const keys = tellingsOf(events.map((event) => ({ event, storedAt: 0 }))).map(({ key }) => key)
  if (keys.length === 0) return null
  const values = {
    accounts: keys.map(({ account }) => account),
    shipments: keys.map(({ shipment }) => shipment),
    milestones: keys.map(({ milestone }) => milestone),
  }
  return { sql: LOAD, values }
}

/**
 * Keeps the values of dates that events tell, and how far these are from the first: all at once, because each statement is a round
 * trip. null: they tell of none.
 */
export function toldDateRows(fresh: readonly FreshEvent[], loaded: readonly LoadedDate[]): Part | null {
  const histories = tellingsOf(fresh)
  if (histories.length === 0) return null
  const known = new Map(loaded.map((row) => [nameOfDate(row), { last: lastOf(row), slip: slipOf(row) }]))
  const changes = histories.map(({ key, tellings }) => {
    const at = known.get(nameOfDate(key)) ?? { last: undefined, slip: undefined }
    return { key, ...dateAfter(at, tellings) }
  })
  const values = {
    dates: jsonRows(
      changes.flatMap(({ added, key }) => added.map(({ eventId: event, ...row }) => ({ ...key, ...row, event }))),
    ),
    gone: jsonRows(changes.flatMap(({ key, slip }) => (slip === null ? [{ ...key }] : []))),
    slips: jsonRows(
      changes.flatMap(({ key, slip }) => (slip === null || slip === 'as it was' ? [] : [{ ...key, ...slip }])),
    ),
  }
  return { sql: SAVE, values }
}

function lastOf({ date, eventId, place, seenAt, status, toldAt }: Nullable<DateRow>): DateRow | undefined {
  return place === null ? undefined : { place, date, status, seenAt, toldAt, eventId }
}

function slipOf({ first, movedAt, revisions }: Nullable<OldSlip>): OldSlip | undefined {
  return first === null || movedAt === null || revisions === null ? undefined : { first, movedAt, revisions }
}

/** How many values of one milestone are shown: of the oldest beyond them, none. */
const MOST_VALUES = 500

const NEWEST = new Query<DateRow & { readonly milestone: Milestone }>(`
  SELECT asked.milestone, kept.* FROM unnest(:milestones::text[]) AS asked(milestone) CROSS JOIN LATERAL (
    SELECT place, date, status, seen_at AS "seenAt", told_at AS "toldAt", event AS "eventId" FROM dates
    WHERE account = :account AND shipment = :shipment AND milestone = asked.milestone
    ORDER BY place DESC LIMIT ${MOST_VALUES}
  ) AS kept
  ORDER BY kept.place DESC`)

/** The values that the dates of a shipment had, the one of its last read included. */
export async function loadDates(
  tx: Pick<Transaction, 'all'>,
  account: string,
  record: RecordState,
): Promise<Readonly<Partial<Record<Milestone, readonly DateValue[]>>>> {
  const rows = await tx.all(NEWEST, { account, shipment: record.id, milestones: MILESTONES })
  const byMilestone = Map.groupBy(rows, ({ milestone }) => milestone)
  const known = MILESTONES.map((name) => [name, dateValues(record, name, byMilestone.get(name) ?? [])] as const)
  return Object.fromEntries(known.filter(([, values]) => values.length > 0))
}

type NotifiedRow = Pick<
  PlainRowOf<typeof TABLES.notified_dates>,
  'resource' | 'subscription' | 'date' | 'instant' | 'version'
> & { readonly id: string }

const LAST_SEQUENCE = Query.frequent<{ sequence: number }>(
  'SELECT last_sequence AS sequence FROM accounts WHERE account = :account',
)
const OF_SUBJECTS = Query.frequent<NotifiedRow>(`
  SELECT wanted.resource, wanted.id, subscription, date, instant, version
  FROM unnest(:resources::text[], :ids::text[]) WITH ORDINALITY AS wanted (resource, id, place)
    JOIN notified_dates AS notified
      ON notified.account = :account AND notified.resource = wanted.resource AND notified.subject_id = wanted.id
  WHERE subscription = ANY(:subscriptions::text[]) ORDER BY place, subscription, date`)
// A subject's versions only grow: of an older one nothing is kept. A snapshot of the same one brings what its event did not.
const NOTIFY = `
  notified AS (
  INSERT INTO notified_dates AS known (${TABLES.notified_dates.names})
  SELECT DISTINCT ON (resource, id, subscription, date) :account::text, resource, id, subscription, date, instant, version
  FROM json_to_recordset(:dates::json) AS row (place bigint, resource text, id text, subscription text, date text,
    instant bigint, version bigint)
  ORDER BY resource, id, subscription, date, version DESC, place
  ON CONFLICT (account, resource, subject_id, subscription, date) DO UPDATE
    SET instant = excluded.instant, version = excluded.version WHERE known.version <= excluded.version
  )`

/** `CommitStore.routingState`, of all subjects at once, because each statement is a round trip. */
export async function loadRoutingState(
  tx: Pick<Transaction, 'all' | 'one'>,
  of: string | null,
  { subjects, subscriptions }: RoutingQuery,
): Promise<RoutingState> {
  const account = of ?? NO_ACCOUNT
  const [resources, ids] = [subjects.map(({ resource }) => resource), subjects.map(({ id }) => id)]
  const isAsked = subjects.length > 0 && subscriptions.length > 0
  const dates = isAsked ? await tx.all(OF_SUBJECTS, { account, resources, ids, subscriptions }) : []
  return {
    lastSequence: (await tx.one(LAST_SEQUENCE, { account }))?.sequence ?? 0,
    dates: dates.map(({ id, resource, ...date }) => ({ subject: { resource, id }, ...date })),
  }
}

/** The account is held. */
export function notifiedDateRows(account: string, dates: readonly NotifiedDate[]): Part | null {
  if (dates.length === 0) return null
  const rows = dates.map(({ subject, ...date }, place) => ({ place, ...subject, ...date }))
  return { sql: NOTIFY, values: { account, dates: jsonRows(rows) } }
}

/** The account is held. */
export async function saveNotifiedDates(
  tx: Transaction,
  account: string,
  dates: readonly NotifiedDate[],
): Promise<void> {
  await writeTogether(tx, { dates: notifiedDateRows(account, dates) })
}
