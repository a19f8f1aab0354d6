import { html } from 'hono/html'
import type { RecordDetail } from '../../../store/ports/record-query-port.ts'
import type { Html } from '../parts/markup.ts'
import { panel } from '../parts/panel.ts'
import { leadOf } from '../records/record-lead.ts'
import type { View } from '../show-page.ts'
import { acknowledgedEntry, openList } from './standing-entry.ts'
import { standingOfRecord } from './standing.ts'

/** What is not well of a record, at the top of its page, with the form that says who sees to it; nothing where all is well. */
export async function standingPanel(record: RecordDetail, view: View): Promise<Html> {
  const { account, id, object, resource } = record
  const key = { account, resource, id }
  const { acknowledged, open } = await standingOfRecord(key, { now: view.now, store: view.desk.store })
  if (open.length + acknowledged.length === 0) return html`<section id="standing" data-live="event" hidden></section>`
  const standing = {
    key,
    record: object,
    expectedAt: resource === 'purchase_order' ? record.etaAt : null,
    shipment: null,
  }
  const of = (exceptions: typeof open) => ({ ...standing, exceptions })
  return panel({
    id: 'standing',
    title: open.length > 0 ? 'Needs somebody' : 'Somebody sees to it',
    live: 'event',
    body: html`${
      open.length === 0
        ? null
        : html`<div class="standing ${open[0]?.severity ?? ''}" data-row>
            ${openList(of(open), view, leadOf(record))}
          </div>`
    }
    ${
      acknowledged.length === 0
        ? null
        : html`<ul class="standings">
            ${acknowledgedEntry(of(acknowledged), view, false)}
          </ul>`
    }`,
  })
}
