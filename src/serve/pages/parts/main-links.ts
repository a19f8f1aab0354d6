/** The navigation, in its order; `g` and a key go there. */
export const MAIN_LINKS = [
  { name: 'Overview', path: '/', key: 'o' },
  { name: 'Shipments', path: '/records/shipment', key: 's' },
  { name: 'Invoices', path: '/records/invoice', key: 'i' },
  { name: 'Events', path: '/events', key: 'e' },
  { name: 'Deliveries', path: '/deliveries', key: 'd' },
  { name: 'Subscriptions', path: '/subscriptions', key: 'u' },
  { name: 'Accounts', path: '/accounts', key: 'a' },
  { name: 'Plan', path: '/plan', key: 'p' },
] as const

export type MainLink = (typeof MAIN_LINKS)[number]['name']
