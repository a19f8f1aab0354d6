import { describe, expect, test } from 'vitest'
import { NO_CLOCK_IS_SET, Polling, shipment, shipments, WATCH } from './polling.ts'
import { ALL, asked, forbid, health, HOUR, MINUTE, read, SOON } from './refusing.ts'

describe('one list that the key may not read (403) while others answer', () => {
  test('is left alone by itself and rings once from the start, and once when it answers', async () => {
    await using polling = new Polling({ watch: ALL }, NO_CLOCK_IS_SET)
    polling.platform.shipments = shipments(5)
    polling.platform.orderPreparations.set('OP-1', { reference: 'OP-1', status: 'draft' })
    forbid(polling, 'invoices')
    await polling.run(HOUR)
    expect(await health(polling)).toEqual(['account.unauthorized invoices'])
    expect(asked(polling, 'invoices')).toBeLessThan(12)
    expect(asked(polling, 'shipments')).toBeGreaterThan(100)
    expect(asked(polling, 'tracking/SHP-1')).toBeGreaterThan(50)
    polling.platform.trouble = () => null
    await polling.run(SOON)
    expect(await health(polling)).toEqual(['account.unauthorized invoices', 'account.recovered invoices'])
    const [, recovered] = (await polling.events()).filter(({ type }) => /unauthorized|recovered/.test(type))
    expect(recovered?.extras).toMatchObject({ was: 'unauthorized', resource: 'invoices' })
    const counts = (await polling.events()).filter(({ type }) => type === 'account.baseline_completed')
    expect(counts.map(({ extras }) => extras.resource)).toContain('invoices')
  })

  test('rings nothing again over restarts, and anew for another key that is refused, too', async () => {
    await using polling = await read()
    forbid(polling, 'invoices')
    await polling.run(10 * MINUTE)
    for (let restart = 0; restart < 3; restart += 1) {
      const before = asked(polling, 'invoices')
      await polling.restart()
      await polling.run(10 * MINUTE)
      expect(asked(polling, 'invoices') - before).toBeLessThan(8)
    }
    expect(await health(polling)).toEqual(['account.unauthorized invoices'])
    await polling.restart({ watch: ALL, apiKey: 'another' })
    await polling.run(10 * MINUTE)
    expect(await health(polling)).toEqual(['account.unauthorized invoices', 'account.unauthorized invoices'])
    polling.platform.trouble = () => null
    await polling.restart({ watch: ALL, apiKey: 'a third' })
    await polling.run(10 * MINUTE)
    expect((await health(polling)).slice(2)).toEqual(['account.recovered invoices'])
  })

  test('a page far behind that is refused makes no list ring again with every page before it', async () => {
    await using polling = await read({ watch: { shipments: WATCH.shipments, invoices: WATCH.invoices } })
    polling.platform.shipments = shipments(350)
    forbid(polling, 'shipments?skip=300')
    await polling.run(HOUR)
    expect(await health(polling)).toEqual(['account.unauthorized shipments'])
    polling.platform.shipments = shipments(150)
    await polling.run(SOON)
    expect(await health(polling)).toEqual(['account.unauthorized shipments', 'account.recovered shipments'])
  })
})

describe('what is read item by item', () => {
  test.each([
    ['tracking', 'tracking'],
    ['order_preparation', 'order_preparations'],
  ])('%s of which every read is refused is left alone by itself', async (item, resource) => {
    await using polling = await read()
    forbid(polling, `${item}/`)
    polling.platform.asked.length = 0
    await polling.run(HOUR)
    expect(await health(polling)).toEqual([`account.unauthorized ${resource}`])
    expect(asked(polling, `${item}/`)).toBeLessThan(16)
    expect(asked(polling, 'shipments')).toBeGreaterThan(100)
    polling.platform.trouble = () => null
    await polling.run(SOON)
    expect(await health(polling)).toEqual([`account.unauthorized ${resource}`, `account.recovered ${resource}`])
    expect(asked(polling, `${item}/`)).toBeGreaterThan(25)
  })

  test('one item that is refused rings nothing, is asked less and less, and holds up no other', async () => {
    await using polling = await read()
    forbid(polling, 'tracking/SHP-3')
    polling.platform.asked.length = 0
    await polling.run(90 * MINUTE)
    expect(await health(polling)).toEqual([])
    expect(asked(polling, 'tracking/SHP-3')).toBeLessThan(14)
    expect(asked(polling, 'tracking/SHP-4')).toBeGreaterThan(80)
  })

  test('items that are refused and come first ring nothing where one behind them answers', async () => {
    await using polling = await read()
    await polling.restart()
    const whats = Array.from({ length: 300 }, (_, n) => `tracking/NEW-${n}`)
    polling.platform.shipments = [...shipments(5), ...Array.from({ length: 300 }, (_, n) => shipment(`NEW-${n}`))]
    forbid(polling, ...whats)
    await polling.run(SOON)
    expect(await health(polling)).toEqual([])
  })
})
