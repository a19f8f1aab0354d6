/** The methods of the platform's interface. */
export type Method = 'GET' | 'POST' | 'PATCH'

export interface Endpoint {
  readonly method: Method
  /** `:id` stands for one path segment, percent-encoded. */
  readonly path: string
}

/** Everything that the interface offers, in the order of its endpoint table. */
export const ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/v1/shipments' },
  { method: 'GET', path: '/v1/shipments/:id' },
  { method: 'GET', path: '/v1/tracking/:id' },
  { method: 'GET', path: '/v1/purchaseOrders' },
  { method: 'GET', path: '/v1/purchaseOrders/:id' },
  { method: 'POST', path: '/v1/purchaseOrders' },
  { method: 'PATCH', path: '/v1/purchaseOrders' },
  { method: 'POST', path: '/v1/orderPreparations' },
  { method: 'GET', path: '/v1/orderPreparations/:id' },
  { method: 'GET', path: '/v1/locations' },
  { method: 'GET', path: '/v1/locations/:id' },
  { method: 'GET', path: '/v1/invoices' },
  { method: 'GET', path: '/v1/invoices/:id' },
  { method: 'GET', path: '/v1/documents' },
  { method: 'GET', path: '/v1/documents/:id' },
]
