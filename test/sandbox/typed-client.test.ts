import { afterEach, describe, expect, it } from 'vitest'
import { createPlatformClient } from '../../src/platform/client.ts'
import type { Outcome } from '../../src/platform/outcome.ts'
import type { ListedResource } from '../../src/model/resource.ts'
import type { PlatformClient } from '../../src/platform/platform.ts'
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { at, DAY, objectsAt, START, textAt } from './spoken.ts'

let open = new AsyncDisposableStack()

afterEach(async () => {
  await open.disposeAsync()
  open = new AsyncDisposableStack()
})

async function start(clock = new FakeClock(START)): Promise<{ sandbox: Sandbox; platform: PlatformClient }> {
  const sandbox = open.use(await startSandbox({ port: 0, shipments: 20, speed: 1, seed: '1', apiKey: 'k', clock }))
  const platform = createPlatformClient({
    baseUrl: sandbox.url,
    apiKey: 'k',
    timeoutMs: 5_000,
    concurrency: 2,
    userAgent: 'shipbell/test',
    clock,
  })
  return { sandbox, platform: open.use(platform) }
}

function valueOf<T>(outcome: Outcome<T> | { readonly kind: 'refused' }): T {
  if (outcome.kind !== 'ok') throw new Error(`not ok: ${JSON.stringify(outcome)}`)
  return outcome.value
}

async function pageAt(platform: PlatformClient, resource: ListedResource, at: { skip: number; take: number }) {
  const page = valueOf(await platform.list(resource, { ...at, shipmentIdField: null }))
  if (page === 'unchanged' || !('rows' in page)) throw new Error('nothing was said to be known')
  return page
}

async function rows(platform: PlatformClient, resource: ListedResource) {
  const page = await pageAt(platform, resource, { skip: 0, take: 100 })
  return page.rows.map((row) => {
    if (row.kind !== 'record') throw new Error(row.reason)
    return row
  })
}

const ORDER = {
  reference: 'PO 2027/1',
  supplier_id: '7001',
  desired_delivery_date: '2027-02-01',
  desired_ex_factory_date: '2026-12-20',
  custom_parameters: [{ name: 'season', value: 'SS27' }],
  product_lines: [
    {
      reference: '10',
      ordered_quantity: 250,
      unit_price: { amount: 12.5, currency: 'EUR' },
      volume: 3,
      volume_unit: 'cbm',
      product: { sku: 'TS-1', hs_code: '610910', description: 'T-shirts', is_hazardous: 'false' },
    },
  ],
} as const

describe('the typed client at the sandbox', () => {
  it('lists every resource and fetches each record by the id of its row', async () => {
    const { platform } = await start()
    for (const resource of ['shipment', 'invoice', 'document', 'purchase_order', 'location'] as const) {
      const found = await rows(platform, resource)
      expect(found.length).toBeGreaterThan(5)
      for (const { id, record } of found.slice(0, 5)) {
        const { link: _, ...rest } = valueOf(await platform.item(resource, id))
        expect(record).toMatchObject(rest)
      }
    }
    expect(valueOf(await platform.item('order_preparation', 'OP-1'))).toMatchObject({
      freight_method: expect.any(String),
    })
    expect(await platform.item('order_preparation', 'OP-99')).toMatchObject({ kind: 'not_found' })
  })

  it('creates a purchase order and reads it back from item and list', async () => {
    const { platform } = await start()
    const before = await rows(platform, 'purchase_order')
    const outcome = await platform.createPurchaseOrder(ORDER)
    expect(outcome).toMatchObject({ kind: 'ok', value: { reference: 'PO 2027/1' }, exchange: { status: 201 } })
    const order = valueOf(await platform.item('purchase_order', 'PO 2027/1'))
    expect(order).toEqual({
      po_number: 'PO 2027/1',
      supplier_name: 'Jiahe Textile Co., Ltd.',
      purchase_order_lines: [
        {
          reference: '10',
          product: {
            sku: 'TS-1',
            name: 'TS-1',
            hs_code: '610910',
            description: 'T-shirts',
            is_hazardous: 'false',
            hazardous_description: null,
            custom_parameters: [],
          },
          ordered_quantity: 250,
          unit_price: { amount: 12.5, currency: 'EUR' },
          assigned_order_lines: [],
        },
      ],
      desired_ex_factory_date: '2026-12-20',
      desired_delivery_date: '2027-02-01',
      custom_parameters: [{ name: 'season', value: 'SS27' }],
    })
    const after = await rows(platform, 'purchase_order')
    expect(after.map(({ record }) => record)).toEqual([order, ...before.map(({ record }) => record)])
    expect(await platform.createPurchaseOrder(ORDER)).toMatchObject({ kind: 'refused', status: 409 })
  })

  it('pages over written and seeded orders, each once', async () => {
    const { platform } = await start()
    for (const nth of [1, 2, 3]) valueOf(await platform.createPurchaseOrder({ ...ORDER, reference: `W-${nth}` }))
    const whole = await rows(platform, 'purchase_order')
    const paged: string[] = []
    for (let skip = 0; skip < whole.length; skip += 2) {
      const page = await pageAt(platform, 'purchase_order', { skip, take: 2 })
      paged.push(...page.rows.map((row) => String(row.id)))
    }
    expect(paged).toEqual(whole.map(({ id }) => id))
    expect(paged.slice(0, 3)).toEqual(['W-3', 'W-2', 'W-1'])
  })

  it('replaces the lines of an order that is on no shipment, written or seeded', async () => {
    const clock = new FakeClock(START)
    const { platform } = await start(clock)
    valueOf(await platform.createPurchaseOrder(ORDER))
    const seeded = (await rows(platform, 'purchase_order')).find(
      ({ id, record }) => id !== ORDER.reference && !isAssigned(record),
    )
    for (const reference of [ORDER.reference, String(seeded?.id)]) {
      const product_lines = [{ reference: 'A', ordered_quantity: 7 }, { ordered_quantity: 9 }]
      expect(await platform.updatePurchaseOrder({ reference, product_lines })).toMatchObject({
        kind: 'ok',
        value: { reference },
        exchange: { method: 'PATCH', status: 200 },
      })
      const lines = objectsAt(valueOf(await platform.item('purchase_order', reference)), 'purchase_order_lines')
      expect(lines.map((line) => [line['reference'], line['ordered_quantity']])).toEqual([
        ['A', 7],
        ['20', 9],
      ])
      const listed = (await rows(platform, 'purchase_order')).find(({ id }) => id === reference)
      expect(objectsAt(listed?.record, 'purchase_order_lines')).toEqual(lines)
    }
    clock.jump(START + 30 * DAY)
    const later = valueOf(await platform.item('purchase_order', String(seeded?.id)))
    expect([isAssigned(later), textAt(later, 'purchase_order_lines', 0, 'reference')]).toEqual([true, 'A'])
  })

  it('may not update an order that is on a shipment, nor one that is not there', async () => {
    const { platform } = await start()
    const assigned = (await rows(platform, 'purchase_order')).find(({ record }) => isAssigned(record))
    const product_lines = [{ ordered_quantity: 1 }]
    const refused = await platform.updatePurchaseOrder({ reference: String(assigned?.id), product_lines })
    expect(refused).toMatchObject({
      kind: 'refused',
      status: 409,
      reason: expect.stringMatching(
        /refused PATCH \/v1\/purchaseOrders with 409, saying "The purchase order .* is on a shipment already and cannot be changed\."\.$/,
      ),
    })
    expect(valueOf(await platform.item('purchase_order', String(assigned?.id)))).toEqual(assigned?.record)
    expect(await platform.updatePurchaseOrder({ reference: 'none', product_lines })).toMatchObject({
      kind: 'refused',
      status: 404,
    })
  })

  it('creates order preparations and reads them back, each under a reference of its own', async () => {
    const { platform } = await start()
    const first = valueOf(
      await platform.createOrderPreparation({
        name: 'Spring',
        incoterm: 'fca',
        freight_method: 'ocean',
        client_role_on_order: 'buyer',
        picking_references: ['P-1'],
        instructions: { should_palletise: true, target_pickup_date: Date.UTC(2027, 0, 5, 9) },
        locations: { preparing_warehouse_id: '7001' },
        total_commercial_invoice_amount: 1200.5,
        total_commercial_invoice_amount_currency: 'USD',
      }),
    ).reference
    const second = valueOf(await platform.createOrderPreparation({ target_pickup_date: '2027-01-09' })).reference
    expect(second).not.toBe(first)
    expect(valueOf(await platform.item('order_preparation', String(first)))).toMatchObject({
      name: 'Spring',
      incoterm: 'fca',
      freight_method: 'ocean',
      client_role_on_order: 'buyer',
      picking_references: ['P-1'],
      instructions: { should_palletise: true, should_label_packages: false, target_pickup_date: '2027-01-05' },
      locations: { preparing_warehouse_id: '7001', delivery_location_id: null },
      total_commercial_invoice_amount: 1200.5,
      total_commercial_invoice_amount_currency: 'USD',
    })
    const other = valueOf(await platform.item('order_preparation', String(second)))
    expect(at(other, 'instructions', 'target_pickup_date')).toBe('2027-01-09')
    expect(Object.keys(other).sort()).toEqual(
      Object.keys(valueOf(await platform.item('order_preparation', 'OP-1'))).sort(),
    )
  })
})

function isAssigned(order: Parameters<typeof at>[0]): boolean {
  return objectsAt(order, 'purchase_order_lines').some((line) => objectsAt(line, 'assigned_order_lines').length > 0)
}
