import type { Phrase } from './phrase.ts'

/** The amount, where the record that says it is there. */
const OVER = '{% assign amount = data.object | invoice_total %}{% if amount != "" %} over {{ amount }}{% endif %}'
const CREATED = `{{ it }}${OVER} is new{% if data.object.due_date %}, due {{ data.object.due_date | moment }}{% endif %}.`
const ON = '{% if data.due_date %}{{ data.due_date | moment }}{% endif %}'

export const INVOICE_PHRASES = {
  'invoice.created': { say: `Invoice ${CREATED}`, tone: 'neutral' },
  'invoice.status_changed': {
    say: 'Invoice {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
    tone: 'neutral',
  },
  'invoice.due_date_changed': {
    say: 'The due date of invoice {{ it }} went from {{ data.from | date_or_none }} to {{ data.to | date_or_none }}.',
    tone: 'warning',
  },
  'invoice.amount_changed': {
    say: 'The amount of invoice {{ it }} went from {{ data.from | money }} to {{ data.to | money }}.',
    tone: 'warning',
  },
  'invoice.updated': { say: 'Invoice {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
  'invoice.removed': { say: 'Invoice {{ it }} is gone from the platform.', tone: 'warning' },
  'invoice.restored': { say: 'Invoice {{ it }} is back on the platform.', tone: 'neutral' },
  'invoice.due_soon': {
    say: `Invoice {{ it }}${OVER} falls due {% if data.days_left == 0 %}today{% else %}in {{ data.days_left | days }}{% endif %}{% if data.due_date %}, on ${ON}{% endif %}.`,
    tone: 'warning',
  },
  'invoice.due': {
    say: `{% if data.reason == "status" %}The platform calls invoice {{ it }}${OVER} due{% if data.due_date %}; its due date is ${ON}{% endif %}.{% else %}Invoice {{ it }}${OVER} is due{% if data.due_date %} on ${ON}{% endif %}.{% endif %}`,
    tone: 'warning',
  },
  'invoice.overdue': {
    say: `Invoice {{ it }}${OVER} is {{ data.days_overdue | days }} overdue{% if data.due_date %}: it was due on ${ON}{% endif %}.`,
    tone: 'critical',
  },
  'invoice.overdue_cleared': { say: 'Invoice {{ it }} is no longer overdue.', tone: 'good' },
  'credit_note.created': { say: `Credit note ${CREATED}`, tone: 'neutral' },
  'credit_note.status_changed': {
    say: 'Credit note {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
    tone: 'neutral',
  },
  'credit_note.due_date_changed': {
    say: 'The due date of credit note {{ it }} went from {{ data.from | date_or_none }} to {{ data.to | date_or_none }}.',
    tone: 'neutral',
  },
  'credit_note.amount_changed': {
    say: 'The amount of credit note {{ it }} went from {{ data.from | money }} to {{ data.to | money }}.',
    tone: 'warning',
  },
  'credit_note.updated': { say: 'Credit note {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
  'credit_note.removed': { say: 'Credit note {{ it }} is gone from the platform.', tone: 'warning' },
  'credit_note.restored': { say: 'Credit note {{ it }} is back on the platform.', tone: 'neutral' },
} as const satisfies Readonly<Record<string, Phrase>>
