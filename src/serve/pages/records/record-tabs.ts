import { html } from 'hono/html'
import { RECORD_RESOURCES, RESOURCES, type RecordResource } from '../../../model/resource.ts'
import { say } from '../languages/say.ts'
import type { Html } from '../parts/markup.ts'

const FIRST: readonly RecordResource[] = ['shipment', 'invoice', 'document', 'purchase_order']
/** The order in which people look for records. */
const ORDER: readonly RecordResource[] = [...FIRST, ...RECORD_RESOURCES.filter((each) => !FIRST.includes(each))]

/** The lists beside each other; `slips` and `reliability` stand beside the shipments that they are about. */
export function recordTabs(current: RecordResource | 'slips' | 'reliability'): Html {
  const tabs = ORDER.map(
    (resource) => ({ name: resource, label: RESOURCES[resource].labels.many, path: `/records/${resource}` }) as const,
  )
  const slips = { name: 'slips', label: 'Slips', path: '/slips?days=7' } as const
  const reliability = { name: 'reliability', label: 'Reliability', path: '/reliability' } as const
  const all = tabs.flatMap((tab) => (tab.name === 'shipment' ? [tab, slips, reliability] : [tab]))
  return html`<nav class="tabs" aria-label="${say('Records')}">
    ${all.map(
      ({ label, name, path }) =>
        html`<a href="${path}" ${name === current ? html`aria-current="page"` : null}>${say(label)}</a>`,
    )}
  </nav>`
}
