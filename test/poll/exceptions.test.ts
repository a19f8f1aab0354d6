import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/model/account.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { Polling, shipment, WATCH } from './polling.ts'

const PAST = '2026-11-10T08:00:00Z'
const AHEAD = '2026-12-10T08:00:00Z'
const LATE = '2026-12-30T08:00:00Z'

interface Dates {
  readonly departure?: JsonObject
  readonly delivery?: JsonObject
}

function sailing(id: string, { delivery, departure }: Dates, fields: JsonObject = {}): JsonObject {
  const main_tracking_dates = {
    ...(departure && { departure_date: departure }),
    ...(delivery && { delivery_date: delivery }),
  }
  return shipment(id, { status: 'booked', main_tracking_dates, ...fields })
}

function estimated(date: string): JsonObject {
  return { date, status: 'estimated' }
}

function invoice(status: string, due_date: string): JsonObject {
  return { reference: 'INV-1', platform_shipment_id: 'SHP-1', type: 'invoice', status, due_date }
}

const PROBLEM = sailing('SHP-1', { departure: { date: AHEAD, status: 'problem' } })
const OVERDUE = sailing('SHP-1', { departure: estimated(PAST) })
const AT_RISK = sailing('SHP-1', { delivery: estimated(LATE) }, { desired_delivery_date: '2026-12-01' })

async function baselined(
  records: { readonly shipments?: JsonObject[]; readonly invoices?: JsonObject[] },
  settings: Partial<AccountSettings> = {},
): Promise<Polling> {
  const polling = new Polling({ watch: { shipments: WATCH.shipments, invoices: WATCH.invoices }, ...settings })
  Object.assign(polling.platform, records)
  await polling.pass()
  return polling
}

/** Each by its type, and what closed it: the type of an event, or a reason. */
async function listed(polling: Polling): Promise<readonly string[]> {
  const types = new Map((await polling.events()).map(({ id, type }) => [id, type]))
  const { items } = await polling.store.exceptionPage({ now: polling.clock.now(), limit: 50 })
  return items.map(({ closedBy, eventId, type }) =>
    [type, eventId === null ? 'silent' : 'rang', closedBy === null ? 'open' : (types.get(closedBy) ?? closedBy)].join(
      ' ',
    ),
  )
}

describe('what stands at the baseline is open in silence, and closes with what ends it', () => {
  test.each([
    [
      'shipment.problem_reported',
      PROBLEM,
      sailing('SHP-1', { departure: estimated(AHEAD) }),
      'shipment.problem_cleared',
    ],
    ['shipment.milestone_overdue', OVERDUE, sailing('SHP-1', { departure: estimated(AHEAD) }), 'shipment.etd_changed'],
    [
      'shipment.delivery_at_risk',
      AT_RISK,
      sailing('SHP-1', { delivery: estimated(AHEAD) }, { desired_delivery_date: '2026-12-30' }),
      'shipment.delivery_back_on_track',
    ],
    ['shipment.problem_reported', PROBLEM, { ...PROBLEM, status: 'cancelled' }, 'cancelled'],
  ])('%s', async (...[type, before, after, by]) => {
    await using polling = await baselined({ shipments: [before] })
    expect(await listed(polling)).toEqual([`${type} silent open`])
    expect(await polling.types()).not.toContain(type)
    polling.platform.shipments = [after]
    await polling.pass()
    expect(await listed(polling)).toEqual([`${type} silent ${by}`])
  })

  test('invoice.overdue', async () => {
    await using polling = await baselined({ invoices: [invoice('due', '2026-11-01')] })
    expect(await listed(polling)).toEqual(['invoice.overdue silent open'])
    polling.platform.invoices = [invoice('litigious', '2026-11-01')]
    await polling.pass()
    expect(await listed(polling)).toEqual(['invoice.overdue silent open'])
    polling.platform.invoices = [invoice('paid', '2026-11-01')]
    await polling.pass()
    expect(await listed(polling)).toEqual(['invoice.overdue silent invoice.status_changed'])
    expect(await polling.types()).not.toContain('invoice.overdue_cleared')
  })
})

test('what is cancelled or finished at the baseline is well', async () => {
  const shipments = [
    { ...PROBLEM, status: 'cancelled' },
    { ...AT_RISK, platform_shipment_id: 'SHP-2', status: 'finished' },
  ]
  await using polling = await baselined({ shipments })
  expect(await listed(polling)).toEqual([])
})

test('a removed record closes what is open of it, and one that is restored opens it anew', async () => {
  await using polling = await baselined({ shipments: [PROBLEM, shipment('SHP-2'), shipment('SHP-3')] })
  polling.platform.shipments = [shipment('SHP-2'), shipment('SHP-3')]
  for (let passes = 0; passes < 3; passes += 1) await polling.pass()
  expect(await listed(polling)).toEqual(['shipment.problem_reported silent removed'])
  polling.platform.shipments = [PROBLEM, shipment('SHP-2'), shipment('SHP-3')]
  await polling.pass()
  expect(await listed(polling)).toEqual([
    'shipment.problem_reported silent open',
    'shipment.problem_reported silent removed',
  ])
  expect(await polling.types()).not.toContain('shipment.problem_reported')
})

test('what is cancelled by mistake is open again', async () => {
  await using polling = await baselined({ shipments: [PROBLEM] })
  for (const status of ['cancelled', 'booked']) {
    polling.platform.shipments = [{ ...PROBLEM, status }]
    await polling.pass()
  }
  expect(await listed(polling)).toEqual([
    'shipment.problem_reported silent open',
    'shipment.problem_reported silent cancelled',
  ])
})

test.each([
  ['corrected', estimated(LATE), []],
  ['a problem now', { date: LATE, status: 'problem' }, ['shipment.problem_reported rang open']],
] as const)('a delivery that is taken back, %s, leaves its shipment at risk', async (_, later, besides) => {
  await using polling = await baselined({ shipments: [AT_RISK] })
  for (const delivery of [{ date: PAST, status: 'actual' }, later]) {
    polling.platform.shipments = [sailing('SHP-1', { delivery }, { desired_delivery_date: '2026-12-01' })]
    await polling.pass()
  }
  const exceptions = await listed(polling)
  expect(exceptions.toSorted()).toEqual(
    [
      ...besides,
      'shipment.delivery_at_risk silent open',
      'shipment.delivery_at_risk silent shipment.delivered',
    ].toSorted(),
  )
})

test('events open what they ring, once', async () => {
  await using polling = await baselined({ shipments: [sailing('SHP-1', { departure: estimated(AHEAD) })] })
  polling.platform.shipments = [PROBLEM]
  await polling.pass()
  await polling.pass()
  expect(await listed(polling)).toEqual(['shipment.problem_reported rang open'])
})

test('what is no longer watched closes, and stands again once it is watched anew', async () => {
  await using polling = await baselined({ shipments: [PROBLEM], invoices: [invoice('due', '2026-11-01')] })
  await polling.restart({ watch: { invoices: WATCH.invoices } })
  await polling.pass()
  expect(new Set(await listed(polling))).toEqual(
    new Set(['shipment.problem_reported silent unwatched', 'invoice.overdue silent open']),
  )
  await polling.restart({ watch: { shipments: WATCH.shipments, invoices: WATCH.invoices } })
  await polling.pass()
  expect((await listed(polling)).slice(0, 1)).toEqual(['shipment.problem_reported silent open'])
  expect(await listed(polling)).toHaveLength(3)
})

test('a store of a version that kept none opens what stands, and rings nothing', async () => {
  const shipments = [OVERDUE, { ...AT_RISK, platform_shipment_id: 'SHP-2' }, shipment('SHP-3')]
  await using polling = await baselined({ shipments, invoices: [invoice('due', '2026-11-01')] })
  const known = new Set(await listed(polling))
  expect(known.size).toBe(3)
  const db = new Sqlite(polling.file)
  db.exec(`DELETE FROM exceptions; DELETE FROM topics`)
  db.exec(`UPDATE records SET memory = json_remove(memory, '$.calendar.overdueUnheard')`)
  db.close()
  await polling.restart()
  const rung = await polling.pass()
  expect(rung).toEqual([])
  expect(new Set(await listed(polling))).toEqual(known)
  polling.platform.invoices = [invoice('paid', '2026-11-01')]
  await polling.pass()
  expect(await listed(polling)).toContain('invoice.overdue silent invoice.status_changed')
})
