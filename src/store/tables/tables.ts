import type { DisabledBy } from '../../model/endpoint.ts'
import type { EventType } from '../../model/event-catalogue.ts'
import type { Cause } from '../../model/event.ts'
import type { Severity } from '../../model/severity.ts'
import type { SubjectResource } from '../../model/resource.ts'
import type { DatedSubject, RoutedDate } from '../../model/routing.ts'
import type { Milestone } from '../../model/shipment.ts'
import { ARRIVAL_TABLES } from './arrival-tables.ts'
import { EXPECTATION_TABLES } from './expectation-tables.ts'
import { LIVING_TABLES } from './living-tables.ts'
import { NOTE_TABLES } from './note-tables.ts'
import { READING_TABLES } from './reading-tables.ts'
import { RUNTIME_TABLES } from './runtime-tables.ts'
import { SNAPSHOT_TABLES } from './snapshot-tables.ts'
import { INTEGER, INTEGER_OR_NULL, table, TEXT, text, TEXT_OR_NULL, textOrNull, type Table } from './table.ts'

/**
 * What both kinds of store have, by the same names and with the same numbers, in the order in which they are copied: a table comes
 * behind those that it refers to. Left out is what a store knows of its own place: who works on it, and what the present workers sent
 * a moment ago.
 */
export const TABLES = {
  ...READING_TABLES,
  sightings: table('sightings', ['ref'], { ref: INTEGER, told: TEXT }),
  events: table('events', ['ref'], {
    ref: INTEGER,
    id: TEXT,
    account: TEXT_OR_NULL,
    /** Below zero: a sample's. */
    sequence: INTEGER,
    type: text<EventType>(),
    resource: text<SubjectResource>(),
    subject_id: TEXT,
    subject_version: INTEGER,
    previous_event_id: TEXT_OR_NULL,
    timestamp: INTEGER,
    stored_at: INTEGER,
    not_before: INTEGER_OR_NULL,
    not_after: INTEGER_OR_NULL,
    cause: text<Cause>(),
    sighting: INTEGER_OR_NULL,
    expired_at: INTEGER_OR_NULL,
    object_body: INTEGER_OR_NULL,
    before_body: INTEGER_OR_NULL,
    shipment: TEXT_OR_NULL,
    extras: TEXT,
    changes: TEXT_OR_NULL,
    /** The values before; null also where they are cut from the document before. */
    previous: TEXT_OR_NULL,
  }),
  event_kinds: table('event_kinds', ['account', 'type', 'resource'], {
    account: TEXT,
    type: text<EventType>(),
    resource: text<SubjectResource>(),
  }),
  event_hours: table('event_hours', ['hour', 'account', 'type'], {
    hour: INTEGER,
    account: TEXT,
    type: text<EventType>(),
    amount: INTEGER,
  }),
  event_days: table('event_days', ['day', 'account', 'type'], {
    day: INTEGER,
    account: TEXT,
    type: text<EventType>(),
    amount: INTEGER,
  }),
  log_hours: table('log_hours', ['hour'], { hour: INTEGER, first: INTEGER }),
  log_spans: table('log_spans', ['span'], {
    span: INTEGER,
    events: INTEGER,
    expired: INTEGER,
    oldest: INTEGER,
    newest: INTEGER,
  }),
  ledger_begin: table('ledger_begin', [], { dropped_to: INTEGER_OR_NULL }),
  endpoints: table('endpoints', ['subscription'], {
    subscription: TEXT,
    configured: INTEGER,
    enabled: INTEGER,
    disabled_reason: TEXT_OR_NULL,
    disabled_at: INTEGER_OR_NULL,
    disabled_by: textOrNull<DisabledBy>(),
    ordered: INTEGER,
    failures_in_row: INTEGER,
    failing_since: INTEGER_OR_NULL,
    exhausted_since: INTEGER_OR_NULL,
    last_failure_at: INTEGER_OR_NULL,
    last_success_at: INTEGER_OR_NULL,
    last_error: TEXT_OR_NULL,
    failing_for: INTEGER,
    failed_at: INTEGER_OR_NULL,
    unsettled: INTEGER,
    discards_to: INTEGER_OR_NULL,
    queued_to: INTEGER_OR_NULL,
    reconsidered_to: INTEGER_OR_NULL,
    recovering: INTEGER,
    series: TEXT,
    dropped_position: INTEGER,
    ended_position: INTEGER,
    keep_ms: INTEGER_OR_NULL,
    watermark_at: INTEGER_OR_NULL,
  }),
  deliveries: table('deliveries', ['ref'], {
    ref: INTEGER,
    id: TEXT,
    event: INTEGER,
    subscription: TEXT,
    lane: INTEGER,
    state: TEXT,
    attempts: INTEGER,
    round: INTEGER,
    next_attempt_at: INTEGER_OR_NULL,
    /** Null: earlier versions wrote claims there, in files. */
    claimed_by: TEXT_OR_NULL,
    wake_at: INTEGER_OR_NULL,
    turn: INTEGER_OR_NULL,
    last_status: INTEGER_OR_NULL,
    finished_at: INTEGER_OR_NULL,
    test: INTEGER,
    last_error: TEXT_OR_NULL,
    not_before: INTEGER_OR_NULL,
    resumes_at: INTEGER_OR_NULL,
    last_told: INTEGER_OR_NULL,
    progress: TEXT_OR_NULL,
    /** Null: a test's, or made before rows were numbered. */
    position: INTEGER_OR_NULL,
  }),
  tallies: table('tallies', ['subscription', 'state'], { subscription: TEXT, state: TEXT, amount: INTEGER }),
  deferrals: table('deferrals', ['subscription', 'wake_at'], { subscription: TEXT, wake_at: INTEGER, amount: INTEGER }),
  delivery_days: table('delivery_days', ['day', 'subscription', 'state'], {
    day: INTEGER,
    subscription: TEXT,
    state: TEXT,
    amount: INTEGER,
    attempts: INTEGER,
  }),
  attempts: table('attempts', ['ref'], {
    ref: INTEGER,
    delivery: INTEGER,
    at: INTEGER,
    duration_ms: INTEGER,
    status: INTEGER_OR_NULL,
    error: TEXT_OR_NULL,
    answer: TEXT_OR_NULL,
  }),
  rests: table('rests', ['address'], { address: TEXT, until: INTEGER }),
  steady_time: table('steady_time', [], { latest: INTEGER, ahead: INTEGER }),
  notified_dates: table('notified_dates', ['account', 'resource', 'subject_id', 'subscription', 'date'], {
    account: TEXT,
    resource: text<DatedSubject['resource']>(),
    subject_id: TEXT,
    subscription: TEXT,
    date: text<RoutedDate>(),
    instant: INTEGER_OR_NULL,
    version: INTEGER,
  }),
  terms: table('terms', ['account', 'resource', 'term', 'record'], {
    account: TEXT,
    resource: TEXT,
    term: TEXT,
    record: INTEGER,
  }),
  record_terms: table('record_terms', ['record'], { record: INTEGER, terms: TEXT, shared: TEXT_OR_NULL }),
  dates: table('dates', ['account', 'shipment', 'milestone', 'place'], {
    account: TEXT,
    shipment: TEXT,
    milestone: text<Milestone>(),
    place: INTEGER,
    seen_at: INTEGER_OR_NULL,
    told_at: INTEGER_OR_NULL,
    event: TEXT_OR_NULL,
    status: TEXT_OR_NULL,
    date: TEXT_OR_NULL,
  }),
  slips: table('slips', ['ref'], {
    ref: INTEGER,
    account: TEXT,
    shipment: TEXT,
    milestone: text<Milestone>(),
    first: INTEGER,
    now: INTEGER,
    revisions: INTEGER,
    moved_at: INTEGER,
    day: INTEGER,
    size: INTEGER,
  }),
  ...NOTE_TABLES,
  ...ARRIVAL_TABLES,
  exceptions: table('exceptions', ['ref'], {
    ref: INTEGER,
    id: TEXT,
    account: TEXT,
    resource: text<SubjectResource>(),
    subject_id: TEXT,
    type: text<EventType>(),
    /** Empty: it is of none. */
    milestone: text<Milestone | ''>(),
    /** Empty: it is of none. */
    expectation: TEXT,
    severity: text<Severity>(),
    opened_at: INTEGER,
    event: TEXT_OR_NULL,
    told: TEXT_OR_NULL,
    ends_at: INTEGER_OR_NULL,
    acknowledged_at: INTEGER_OR_NULL,
    acknowledged_by: TEXT_OR_NULL,
    acknowledged_until: INTEGER_OR_NULL,
    note: TEXT_OR_NULL,
    closed_at: INTEGER_OR_NULL,
    closed_by: TEXT_OR_NULL,
  }),
  reminders: table('reminders', ['exception', 'subscription'], {
    exception: INTEGER,
    subscription: TEXT,
    account: TEXT,
    number: INTEGER,
    due_at: INTEGER,
  }),
  ...EXPECTATION_TABLES,
  ...RUNTIME_TABLES,
  ...SNAPSHOT_TABLES,
  ...LIVING_TABLES,
  ended_sessions: table('ended_sessions', ['id'], { id: TEXT, expires_at: INTEGER }),
}

/** Any of them. */
export type CopiedTable = Table<unknown>

export const COPIED_TABLES: readonly CopiedTable[] = Object.values(TABLES)
