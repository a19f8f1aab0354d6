import type { EventType } from '../model/event-catalogue.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { edited } from './edited.ts'
import { CREDIT_NOTE, INVOICE } from './records.ts'
import { came, day, learnt, read, shown, went, type Step, type Story } from './story.ts'

const BASELINE = '2026-11-15T08:00:00Z'
const NOW = '2026-11-21T08:00:00Z'

function changed(record: JsonObject, before: Readonly<Record<string, Json>>): readonly Step[] {
  return [learnt(BASELINE, edited(record, before)), read(NOW, record)]
}

function gone(record: JsonObject): readonly Step[] {
  return [learnt(BASELINE, record), went('2026-11-20T08:00:00Z')]
}

/** What the calendar says of the invoice in turn; it is due on 1 December 2026. */
const dueSoon: Story = () => [learnt(BASELINE, INVOICE), day('2026-11-24T00:00:02Z')]
const due: Story = () => [...dueSoon(), day('2026-11-30T00:00:02Z'), day('2026-12-01T00:00:02Z')]
/** After three hours of downtime. */
const overdue: Story = () => [...due(), day('2026-12-02T03:00:02Z')]

export const INVOICE_STORIES: Readonly<Record<Extract<EventType, `invoice.${string}`>, Story>> = {
  'invoice.created': () => [came('2026-11-01T08:02:00Z', edited(INVOICE, { '/status': 'new' }))],
  'invoice.status_changed': () => changed(INVOICE, { '/status': 'new' }),
  'invoice.due_date_changed': () => changed(INVOICE, { '/due_date': '2026-11-28' }),
  'invoice.amount_changed': () =>
    changed(INVOICE, {
      '/lines/0/price/amount': 1200,
      '/lines/0/unit_rate/amount': 600,
    }),
  'invoice.updated': () => changed(INVOICE, { '/number': '2026-0041' }),
  'invoice.removed': () => gone(INVOICE),
  'invoice.restored': () => [...gone(INVOICE), read(NOW, INVOICE)],
  'invoice.snapshot': () => [learnt('2026-11-01T08:02:00Z', INVOICE), shown(NOW)],
  'invoice.due_soon': dueSoon,
  'invoice.due': due,
  'invoice.overdue': overdue,
  'invoice.overdue_cleared': () => [...overdue(), read('2026-12-04T09:30:00Z', edited(INVOICE, { '/status': 'paid' }))],
}

export const CREDIT_NOTE_STORIES: Readonly<Record<Extract<EventType, `credit_note.${string}`>, Story>> = {
  'credit_note.created': () => [came('2026-11-12T08:02:00Z', CREDIT_NOTE)],
  'credit_note.status_changed': () => changed(CREDIT_NOTE, { '/status': 'new' }),
  'credit_note.due_date_changed': () => changed(CREDIT_NOTE, { '/due_date': null }),
  'credit_note.amount_changed': () =>
    changed(CREDIT_NOTE, {
      '/lines/0/price/amount': -100,
      '/lines/0/unit_rate/amount': -50,
    }),
  'credit_note.updated': () => changed(CREDIT_NOTE, { '/number': '2026-0034' }),
  'credit_note.removed': () => gone(CREDIT_NOTE),
  'credit_note.restored': () => [...gone(CREDIT_NOTE), read(NOW, CREDIT_NOTE)],
  'credit_note.snapshot': () => [learnt('2026-11-12T08:02:00Z', CREDIT_NOTE), shown(NOW)],
}
