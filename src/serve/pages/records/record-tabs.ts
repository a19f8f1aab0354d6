import { html } from 'hono/html'
import type { RecordResource } from '../../../model/resource.ts'
import type { Html } from '../parts/markup.ts'
import { isRecordResource, RESOURCE_NAMES } from './resource-names.ts'

/** The lists beside each other; `slips` stands beside the shipments that they are about. */
export function recordTabs(current: RecordResource | 'slips'): Html {
  const tabs = Object.entries(RESOURCE_NAMES).flatMap(([resource, { many }]) =>
    isRecordResource(resource) ? [{ name: resource, label: many, path: `/records/${resource}` } as const] : [],
  )
  const slips = { name: 'slips', label: 'Slips', path: '/slips?days=7' } as const
  const all = tabs.flatMap((tab) => (tab.name === 'shipment' ? [tab, slips] : [tab]))
  return html`<nav class="tabs" aria-label="Records">
    ${all.map(
      ({ label, name, path }) =>
        html`<a href="${path}" ${name === current ? html`aria-current="page"` : null}>${label}</a>`,
    )}
  </nav>`
}
