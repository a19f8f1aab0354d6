import { expect, test } from 'vitest'
import { SECRET } from '../support/loopback-receiver.ts'
import { fillKnown } from '../support/known-records.ts'
import { type Asking, Desk, TOKEN, VIEWER } from './desk.ts'

const OPERATOR = 'acme-operator-0123456789'
const READER = 'erp-reader-0123456789'
const HTTP = `token: ${TOKEN}, viewer_token: ${VIEWER}, tokens: {
  acme: { token: ${OPERATOR}, accounts: [acme], role: operator }, erp-reads: { token: ${READER}, subscription: erp } }`

function configuration(receiver: string, http: string): string {
  return `accounts:
  acme: { base_url: 'http://127.0.0.1:9', api_key: acme-key-0123456789, watch: { shipments: {}, invoices: {} } }
  other: { base_url: 'http://127.0.0.1:9', api_key: other-key-0123456789, watch: { shipments: {} } }
subscriptions:
  erp: { url: '${receiver}/', secret: ${SECRET}, events: ['*'], accounts: [acme], enabled: false }
  picky: { pull: {}, events: ['shipment.*', 'invoice.due'], where: 'data.object.status == "booked"', accounts: [acme] }
  every: { pull: {}, events: ['*'] }
  people: { slack: { url: '${receiver}/T0/B0/x' }, events: ['*'] }
delivery: { allow_networks: [127.0.0.0/8], retry: [1m] }
storage: { path: shipbell.db }
http: { listen: '127.0.0.1:0', ${http} }
`
}

async function opened() {
  const desk = await Desk.configured(HTTP, { text: configuration })
  await fillKnown(desk.store)
  const asked = async (name: string, asking: Asking) => {
    const { json, status } = await desk.ask(`/api/v1/subscriptions/${name}/snapshot`, asking)
    return [status, json]
  }
  const ask = async (name: string, body?: string, token = TOKEN) =>
    await asked(name, { method: 'POST', token, ...(body !== undefined && { body }) })
  return { desk, ask, cancel: async (name: string, token = TOKEN) => await asked(name, { method: 'DELETE', token }) }
}

test('a dry run counts what a subscription would be sent, and what `where` leaves out', async () => {
  const { ask, desk } = await opened()
  const dry = async (name: string, resource?: string) =>
    await ask(name, JSON.stringify({ dry_run: true, ...(resource !== undefined && { resource }) }))
  expect(await dry('erp')).toEqual([200, { rows: 6, left_out: 0 }])
  expect(await dry('erp', 'invoice')).toEqual([200, { rows: 3, left_out: 0 }])
  expect(await dry('erp', 'location')).toEqual([200, { rows: 0, left_out: 0 }])
  expect(await dry('picky')).toEqual([200, { rows: 2, left_out: 3 }])
  expect(await desk.store.snapshotRuns({ which: 'last' })).toEqual([])
})

test('one run of a subscription is under way at most, and can be cancelled', async () => {
  const { ask, cancel, desk } = await opened()
  expect(await ask('erp', '{"resource":"shipment"}')).toEqual([202, { rows: 3 }])
  expect((await ask('erp'))[0]).toBe(409)
  expect((await ask('erp', '{"dry_run":true}'))[0]).toBe(200)
  const shown = (await desk.ask('/api/v1/subscriptions/erp', { token: READER })).json
  expect(shown).toMatchObject({ snapshot: { state: 'under_way', resource: 'shipment', sent: 0, left_out: 0 } })
  expect(await cancel('erp')).toEqual([200, { subscription: 'erp', cancelled: true }])
  expect((await cancel('erp'))[0]).toBe(409)
  const { json } = await desk.ask('/api/v1/status', { token: TOKEN })
  expect(json).toHaveProperty('subscriptions.0.snapshot.state', 'cancelled')
  expect(await ask('erp')).toEqual([202, { rows: 6 }])
  expect(desk.logged('admin.acted').map(({ action }) => action)).toEqual(['snapshot', 'cancel_snapshot', 'snapshot'])
})

test('the desk says how many records go before it sends them, and how far that is', async () => {
  const { desk } = await opened()
  const shown = async (path: string, token = TOKEN) => (await desk.ask(path, { token })).text
  expect(await shown('/subscriptions/erp')).toContain('It was never sent every known record.')
  expect(await shown('/subscriptions/people')).not.toContain('Send snapshot')
  expect(await shown('/subscriptions/erp', VIEWER)).not.toContain('Send snapshot')
  expect(await shown('/subscriptions/erp/snapshot?resource=invoice')).toContain('Send 3 records?')
  expect(await shown('/subscriptions/picky/snapshot?resource=location')).toContain('There is nothing to send')
  expect((await desk.ask('/subscriptions/erp/snapshot', { token: VIEWER })).status).toBe(403)
  const post = { method: 'POST', token: TOKEN } as const
  expect((await desk.ask('/subscriptions/erp/snapshot', { ...post, body: 'resource=invoice' })).status).toBe(303)
  expect(await shown('/subscriptions/erp')).toMatch(/0 of 3[^]*Cancel snapshot/)
  expect(await shown('/metrics')).toContain('shipbell_snapshot_under_way{subscription="erp"} 1')
  expect((await desk.ask('/subscriptions/erp/cancel', post)).status).toBe(303)
  expect(await shown('/subscriptions/erp')).toMatch(/cancelled[^]*Send snapshot/)
})

test('what is asked for wrongly, or by who may not, sends nothing', async () => {
  const { ask, cancel, desk } = await opened()
  for (const [body, name] of [
    ['{"resource":"credit_note"}', 'resource'],
    ['{"resource":"shipments"}', 'resource'],
    ['{"dry_run":"yes"}', 'dry_run'],
    ['{"resorce":"shipment"}', 'resorce'],
  ] as const)
    expect(await ask('erp', body)).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ name })] }),
    ])
  expect((await ask('erp', '{'))[0]).toBe(400)
  expect((await ask('nobody'))[0]).toBe(404)
  expect((await cancel('nobody'))[0]).toBe(404)
  expect(await ask('people')).toEqual([409, expect.objectContaining({ detail: expect.stringContaining('`slack`') })])
  expect((await ask('erp', '{}', 'a-wrong-token'))[0]).toBe(401)
  expect((await ask('erp', '{"dry_run":true}', VIEWER))[0]).toBe(403)
  expect((await ask('erp', '{}', READER))[0]).toBe(404)
  expect((await cancel('erp', READER))[0]).toBe(404)
  // What hears another account as well is not there for a token of one.
  expect((await ask('every', '{}', OPERATOR))[0]).toBe(404)
  expect(await desk.store.snapshotRuns({ which: 'last' })).toEqual([])
  expect(await ask('picky', '{}', OPERATOR)).toEqual([202, { rows: 2 }])
})
