import { describe, expect, test } from 'vitest'
import { RESOURCES } from '../../src/model/resource.ts'
import { resolveCall, unknownEndpoint } from '../../src/platform/site.ts'

describe('a call', () => {
  test.each([
    ['GET', '/v1/shipments'],
    ['GET', '/v1/shipments/X-1'],
    ['GET', '/v1/tracking/X-1'],
    ['GET', '/v1/purchaseOrders'],
    ['GET', '/v1/purchaseOrders/X-1'],
    ['POST', '/v1/purchaseOrders'],
    ['PATCH', '/v1/purchaseOrders'],
    ['POST', '/v1/orderPreparations'],
    ['GET', '/v1/orderPreparations/X-1'],
    ['GET', '/v1/locations'],
    ['GET', '/v1/locations/X-1'],
    ['GET', '/v1/invoices'],
    ['GET', '/v1/invoices/X-1'],
    ['GET', '/v1/documents'],
    ['GET', '/v1/documents/X-1'],
  ])('reaches each endpoint: %s %s', (method, path) => {
    expect(resolveCall(method, path)).toEqual({ method, path })
  })

  test('that means none is answered with all that there are', () => {
    const { message } = unknownEndpoint('GET', '/v1/users')
    expect(message.match(/^ {2}(?:GET|POST|PATCH) +\/v1\//gm)).toHaveLength(15)
    for (const { item, list } of Object.values(RESOURCES)) {
      expect(message).toContain(`  GET   ${item}/:id`)
      if (list !== null) expect(message).toContain(`  GET   ${list}\n`)
    }
  })

  test.each([
    ['get', 'shipments', 'GET /v1/shipments'],
    ['Patch', '/purchaseOrders', 'PATCH /v1/purchaseOrders'],
    ['GET', '/v1/invoices?skip=3&take=9', 'GET /v1/invoices?skip=3&take=9'],
    ['GET', 'invoices/FA%20123%2F4', 'GET /v1/invoices/FA%20123%2F4'],
    ['GET', 'invoices/FA 123%2F4', 'GET /v1/invoices/FA%20123%2F4'],
    ['GET', 'documents?shipment=é', 'GET /v1/documents?shipment=%C3%A9'],
    ['GET', 'documents/a#b', 'GET /v1/documents/a%23b'],
    ['GET', 'documents/a\r\nX: y', 'GET /v1/documents/a%0D%0AX:%20y'],
    ['GET', 'documents/\uD800', 'GET /v1/documents/%EF%BF%BD'],
    ['GET', 'shipments?next=/../x', 'GET /v1/shipments?next=/../x'],
  ])('%s %s is %s', (method, path, sent) => {
    const call = resolveCall(method, path)
    expect(`${call?.method} ${call?.path}`).toBe(sent)
  })

  test.each([
    ['DELETE', '/v1/shipments'],
    ['POST', '/v1/shipments'],
    ['GET', '/v1/orderPreparations'],
    ['GET', '/v1/users'],
    ['GET', '/v2/shipments'],
    ['GET', '/v1/shipments/'],
    ['GET', '/v1//shipments'],
    ['GET', '/v1/shipments/a/b'],
    ['GET', '/v1/shipments/..'],
    ['GET', '/v1/shipments/%2e%2E'],
    ['GET', '/v1/shipments/.'],
    ['GET', 'https://elsewhere.example/v1/shipments'],
    ['GET', '//elsewhere.example/v1/shipments'],
    ['GET', '/v1/Shipments'],
    ['GET', ''],
    ['', '/v1/shipments'],
  ])('%s %s is none', (method, path) => {
    expect(resolveCall(method, path)).toBeNull()
  })
})
