import { INTEGER, INTEGER_OR_NULL, table, TEXT, TEXT_OR_NULL } from './table.ts'

/** Messages that are kept up to date, where a chat lets one change them. */
export const LIVING_TABLES = {
  living_messages: table('living_messages', ['subscription', 'account', 'shipment'], {
    subscription: TEXT,
    account: TEXT,
    shipment: TEXT,
    channel: TEXT,
    /** Null: it is not there, or the answer that named it was lost. */
    ts: TEXT_OR_NULL,
    /** Null: no answer is missing. */
    posted_at: INTEGER_OR_NULL,
    /** Ids of events, as JSON, as those that are shown. */
    began_with: TEXT,
    shown: TEXT,
    sequence: INTEGER,
    entry: TEXT_OR_NULL,
    told_at: INTEGER,
  }),
}
