import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/model/json.ts'
import { emitted, typesOf } from './emitted.ts'
import { baselined, without } from './known-shipments.ts'
import { Polling, shipment, shipments, trackingOf, WATCH, WATCH_MORE } from './polling.ts'

const NO_RECORDS: readonly Json[] = [
  { message: 'Internal server error' },
  {},
  { error: 'NO_SHIPMENTS' },
  { timestamp: 1_795_651_200, status: 500, error: 'Internal Server Error', path: '/v1' },
  { status: 'FAILED' },
  { status: 500 },
  { status: 'error', tracking_steps: [] },
  { type: 'about:blank', status: 404 },
  null,
  [],
]

const ID_ALONE = { platform_shipment_id: 'SHP-1', warnings: ['carrier timeout'] }

/** Three shipments with a tracking each. */
async function tracked(): Promise<Polling> {
  const polling = new Polling()
  polling.platform.shipments = shipments(3)
  for (const id of ['SHP-1', 'SHP-2', 'SHP-3']) polling.platform.tracking.set(id, trackingOf(id, 'Gate in', 'Loaded'))
  return polling
}

/** The fetch by id that `what` names answers this body from now on; undefined: the record again. */
function answers(polling: Polling, what: string, body: Json | undefined): void {
  polling.platform.body = (asked) => (asked === what ? body : undefined)
}

async function seen(polling: Polling, resource: 'tracking' | 'order_preparation', id: string): Promise<unknown> {
  return (await polling.store.records('acme', resource, [id])).get(id)?.seen
}

describe('a 200 that holds no record (guarantee D8)', () => {
  test.each(NO_RECORDS)('rings nothing of a known tracking, which stays: %j', async (body) => {
    await using polling = await tracked()
    await polling.pass()
    answers(polling, 'tracking/SHP-1', body)
    for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
    expect(await seen(polling, 'tracking', 'SHP-1')).toEqual(trackingOf('SHP-1', 'Gate in', 'Loaded'))
    answers(polling, 'tracking/SHP-1', undefined)
    expect(await polling.pass()).toEqual([])
  })

  test.each(NO_RECORDS)('is no first reading, so that the truth rings nothing: %j', async (body) => {
    await using polling = await tracked()
    answers(polling, 'tracking/SHP-1', body)
    await polling.pass()
    expect(await seen(polling, 'tracking', 'SHP-1')).toBeUndefined()
    answers(polling, 'tracking/SHP-1', undefined)
    expect(typesOf(await polling.pass())).not.toContain('tracking.event_added')
    expect(await seen(polling, 'tracking', 'SHP-1')).toEqual(trackingOf('SHP-1', 'Gate in', 'Loaded'))
  })

  test.each([...NO_RECORDS, { reference: 'OP-1', warnings: ['slow'] }])(
    'changes no order preparation: %j',
    async (body) => {
      await using polling = new Polling({ watch: { order_preparations: WATCH_MORE.order_preparations } })
      const record = { name: 'Spring', instructions: { should_palletise: true }, picking_references: ['P-1'] }
      polling.platform.orderPreparations.set('OP-1', record)
      await polling.pass()
      answers(polling, 'order_preparation/OP-1', body)
      for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
      expect(await seen(polling, 'order_preparation', 'OP-1')).toEqual(record)
    },
  )

  test('proves no existence: the next answer that finds nothing removes the shipment', async () => {
    await using polling = await baselined(3)
    await polling.pass()
    without(polling, 'SHP-3')
    await polling.pass()
    answers(polling, 'shipment/SHP-3', { message: 'Internal server error' })
    for (let pass = 0; pass < 2; pass += 1) expect(await polling.pass()).toEqual([])
    answers(polling, 'shipment/SHP-3', undefined)
    expect(emitted(await polling.pass())).toEqual([['shipment.removed', 'SHP-3']])
  })

  test('verifies no invoice and contradicts none', async () => {
    await using polling = new Polling({ watch: { invoices: WATCH.invoices } })
    const invoice = { reference: 'INV-1', type: 'invoice', status: 'available', due_date: '2026-11-22', lines: [] }
    polling.platform.invoices = [invoice]
    await polling.pass()
    await polling.clock.advance(20 * 3_600_000)
    answers(polling, 'invoice/INV-1', { error: 'try later' })
    expect(await polling.pass()).toEqual([])
    answers(polling, 'invoice/INV-1', undefined)
    expect(typesOf(await polling.pass())).toEqual(['invoice.due'])
  })
})

describe('a record that lost what the interface names (guarantee D8)', () => {
  test('is rejected once where its identifier is all that is left, be it the first answer or not', async () => {
    await using polling = await tracked()
    answers(polling, 'tracking/SHP-1', ID_ALONE)
    expect(typesOf(await polling.pass())).toContain('account.record_rejected')
    expect(await polling.pass()).toEqual([])
    answers(polling, 'tracking/SHP-1', undefined)
    expect(typesOf(await polling.pass())).not.toContain('tracking.event_added')
    answers(polling, 'tracking/SHP-1', ID_ALONE)
    expect(typesOf(await polling.pass())).toEqual(['account.record_rejected'])
    expect(await polling.pass()).toEqual([])
    expect(await seen(polling, 'tracking', 'SHP-1')).toEqual(trackingOf('SHP-1', 'Gate in', 'Loaded'))
  })

  test('is rejected once where other fields stand in the place of a part, and rings what is true afterwards', async () => {
    await using polling = await tracked()
    await polling.pass()
    answers(polling, 'tracking/SHP-1', { platform_shipment_id: 'SHP-1', status: 'unavailable', errors: ['no carrier'] })
    const [event, ...others] = await polling.pass()
    expect(others).toEqual([])
    expect(event).toMatchObject({ type: 'account.record_rejected', extras: { resource: 'tracking', id: 'SHP-1' } })
    expect(event?.extras.reason).toContain('/tracking_steps is gone, and /errors is there')
    expect(await polling.pass()).toEqual([])
    answers(polling, 'tracking/SHP-1', trackingOf('SHP-1', 'Gate in'))
    expect(typesOf(await polling.pass())).toEqual(['tracking.event_retracted'])
  })

  test.each([
    { platform_shipment_id: 'SHP-1', status: 'in_transit', tracking_steps: [], note: 'new vessel' },
    { platform_shipment_id: 'SHP-1', status: 'in_transit' },
  ])('is believed where the platform says that the part is empty, or nothing stands in its place: %j', async (body) => {
    await using polling = await tracked()
    await polling.pass()
    answers(polling, 'tracking/SHP-1', body)
    expect(typesOf(await polling.pass())).toContain('tracking.event_retracted')
  })

  test('is rejected once where all that the interface names but its identifier is gone, parts or none', async () => {
    await using polling = new Polling({ watch: { locations: WATCH_MORE.locations } })
    const known = { id: 7, name: 'Warehouse', city: 'Le Havre' }
    polling.platform.locations = [known, { id: 8, name: 'Quay' }]
    await polling.pass()
    polling.platform.locations = [
      { id: 7, error: 'timeout' },
      { id: 8, name: 'Quay' },
    ]
    const [event, ...others] = await polling.pass()
    expect(others).toEqual([])
    expect(event?.extras.reason).toContain('/name is gone, and /error is there')
    expect(await polling.pass()).toEqual([])
    polling.platform.locations = [known, { id: 8, note: 'closed', city: 'Lyon' }]
    expect(typesOf(await polling.pass())).toEqual(['location.updated'])
  })

  test('is rejected once as the row of a list, which is met all the same', async () => {
    await using polling = new Polling({ watch: { shipments: WATCH.shipments } })
    const cargo = { containers: [{ container_number: 'MSKU1' }] }
    polling.platform.shipments = [shipment('SHP-1', { cargo }), shipment('SHP-2')]
    await polling.pass()
    polling.platform.shipments = [shipment('SHP-1', { cargo: null, error: 'cargo service is down' }), shipment('SHP-2')]
    expect(typesOf(await polling.pass())).toEqual(['account.record_rejected'])
    for (let pass = 0; pass < 3; pass += 1) expect(await polling.pass()).toEqual([])
    polling.platform.shipments = [shipment('SHP-1', { cargo, name: 'Another' }), shipment('SHP-2')]
    expect(emitted(await polling.pass())).toEqual([['shipment.updated', 'SHP-1']])
  })

  test('of the interface is believed where the whole list has the new field', async () => {
    await using polling = new Polling({ watch: { shipments: WATCH.shipments } })
    const cargo = { containers: [{ container_number: 'MSKU1' }] }
    polling.platform.shipments = shipments(12).map((each) => ({ ...each, cargo }))
    await polling.pass()
    polling.platform.shipments = shipments(12).map((each, index) => ({
      ...each,
      lane: 'Asia',
      ...(index === 0 ? {} : { cargo }),
    }))
    expect(typesOf(await polling.pass())).toEqual(['account.schema_drift', 'shipment.container_removed'])
  })
})
