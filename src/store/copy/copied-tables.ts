/**
 * What both kinds of store have, by the same names and with the same numbers; a table comes behind those that it refers to. Left out
 * is what a store knows of its own place: who works on it, and what the present workers sent a moment ago.
 */
export const COPIED_TABLES = [
  'accounts',
  'requests',
  'lists',
  'holds',
  'unproved',
  'rejections',
  'bodies',
  'records',
  'pages',
  'reads',
  'list_sizes',
  'learnt',
  'sightings',
  'events',
  'event_kinds',
  'event_hours',
  'event_days',
  'log_hours',
  'log_spans',
  'ledger_begin',
  'endpoints',
  'deliveries',
  'tallies',
  'deferrals',
  'delivery_days',
  'attempts',
  'rests',
  'steady_time',
  'notified_dates',
  'terms',
  'record_terms',
  'dates',
  'slips',
  'ended_sessions',
] as const

export type CopiedTable = (typeof COPIED_TABLES)[number]

/** Tables that have one row from the beginning, which says nothing of the store having been used. */
export const ONE_ROW_TABLES: readonly CopiedTable[] = ['ledger_begin', 'steady_time']
