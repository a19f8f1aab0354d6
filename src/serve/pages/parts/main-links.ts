import type { Asker } from '../../admin-context.ts'

/** The navigation, in its order; `g` and a key go there. */
export const MAIN_LINKS = [
  { name: 'Today', path: '/', key: 't' },
  { name: 'Shipments', path: '/records/shipment', key: 's' },
  { name: 'Invoices', path: '/records/invoice', key: 'i' },
  { name: 'Events', path: '/events', key: 'e' },
  { name: 'Deliveries', path: '/deliveries', key: 'd' },
  { name: 'Subscriptions', path: '/subscriptions', key: 'u' },
  { name: 'Accounts', path: '/accounts', key: 'a' },
  { name: 'Plan', path: '/plan', key: 'p' },
  { name: 'System', path: '/system', key: 'y' },
] as const

export type MainLink = (typeof MAIN_LINKS)[number]['name']

/** Links that lead to what is shown to those who see the whole alone. */
const WHOLE: ReadonlySet<MainLink> = new Set(['Plan', 'System'])

/** The links that lead somewhere for whoever asks. */
export function linksFor({ scope }: Pick<Asker, 'scope'>): readonly (typeof MAIN_LINKS)[number][] {
  switch (scope.kind) {
    case 'all':
      return MAIN_LINKS
    case 'accounts':
      return MAIN_LINKS.filter(({ name }) => !WHOLE.has(name))
    case 'subscription':
      return []
    default:
      return scope satisfies never
  }
}
