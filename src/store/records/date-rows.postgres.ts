import { dateAfter, nameOfDate, tellingsOf, type DateAt, type DateKey, type DateRow } from '../../ledger/dates.ts'
import type { EventDraft } from '../../model/event.ts'
import type { FreshEvent } from '../../ledger/events.ts'
import { jsonRows } from '../server/json-rows.ts'
import type { Look, Part } from '../server/together.ts'

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
const SAVE = `
  date AS (
    INSERT INTO dates (account, shipment, milestone, place, seen_at, told_at, event, status, date)
    SELECT account, shipment, milestone, place, "seenAt", "toldAt", "eventId", status, date
    FROM json_to_recordset(:dates::json) AS row (account text, shipment text, milestone text, place bigint, "seenAt" bigint,
      "toldAt" bigint, "eventId" text, status text, date text)
  ), slip_gone AS (
    DELETE FROM slips USING json_to_recordset(:gone::json) AS row (account text, shipment text, milestone text)
    WHERE slips.account = row.account AND slips.shipment = row.shipment AND slips.milestone = row.milestone
  ), slip AS (
    INSERT INTO slips (account, shipment, milestone, first, now, revisions, moved_at, day, size)
    SELECT account, shipment, milestone, first, now, revisions, "movedAt", day, size
    FROM json_to_recordset(:slips::json) AS row (account text, shipment text, milestone text, first bigint, now bigint,
      revisions bigint, "movedAt" bigint, day bigint, size bigint)
    ON CONFLICT (account, shipment, milestone) DO UPDATE SET first = excluded.first, now = excluded.now,
      revisions = excluded.revisions, moved_at = excluded.moved_at, day = excluded.day, size = excluded.size
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

/** Keeps the values of dates that events tell, and how far these are from the first. null: they tell of none. */
export function toldDateRows(fresh: readonly FreshEvent[], loaded: readonly LoadedDate[]): Part | null {
  const histories = tellingsOf(fresh)
  if (histories.length === 0) return null
  const known = new Map(loaded.map((row) => [nameOfDate(row), { last: lastOf(row), slip: slipOf(row) }]))
  const changes = histories.map(({ key, tellings }) => {
    const at = known.get(nameOfDate(key)) ?? { last: undefined, slip: undefined }
    return { key, ...dateAfter(at, tellings) }
  })
  const values = {
    dates: jsonRows(changes.flatMap(({ added, key }) => added.map((row) => ({ ...key, ...row })))),
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
