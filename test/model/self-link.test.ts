import { expect, test } from 'vitest'
import { selfLink } from '../../src/model/self-link.ts'
import { sampleEvent } from '../store/samples.ts'

const LINKS = [
  ['shipment', 'SHP/1 ü', '/api/v1/records/shipment/acme/SHP%2F1%20%C3%BC'],
  ['invoice', 'INV-1#credit_note', '/api/v1/records/invoice/acme/INV-1%23credit_note'],
  ['tracking', 'a\u{d800}', '/api/v1/records/tracking/acme/a%EF%BF%BD'],
  ['account', 'acme', '/api/v1/accounts/acme'],
  ['subscription', 'erp', '/api/v1/subscriptions/erp'],
] as const

test.each(LINKS)('what an event of a %s is about is found at the API', (resource, id, path) => {
  const event = sampleEvent('evt_1', { subject: { resource, id, version: 1, previousEventId: null } })
  expect(selfLink(event, null)).toEqual({ links: { self: path } })
  expect(selfLink(event, 'https://desk.example')).toEqual({ links: { self: `https://desk.example${path}` } })
})

test('what the API shows nowhere has no link', () => {
  const subject = { resource: 'configuration', id: 'shipbell', version: 1, previousEventId: null } as const
  expect(selfLink(sampleEvent('evt_1', { account: null, subject }), 'https://desk.example')).toEqual({})
})
