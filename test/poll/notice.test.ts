import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { Polling } from './polling.ts'

const INVOICES = { everyMs: 60_000, ignore: [], dueSoonMs: [] }

function invoice(rate: number): JsonObject {
  return { reference: 'INV-1', type: 'invoice', status: 'paid', usd_to_eur_rate: rate }
}

test('what is ignored by default rings once it is noticed; what differed before does not', async () => {
  await using polling = new Polling({ watch: { invoices: INVOICES } })
  const shown = async (rate: number): Promise<readonly string[]> => {
    polling.platform.invoices = [invoice(rate)]
    await polling.clock.advance(60_000)
    return (await polling.pass()).map(({ type }) => type)
  }
  expect(await shown(0.9)).toEqual(['account.baseline_completed'])
  expect(await shown(0.91)).toEqual([])
  await polling.restart({ watch: { invoices: { ...INVOICES, notice: ['/usd_to_eur_rate'] } } })
  expect(await shown(0.91)).toEqual([])
  expect(await shown(0.92)).toEqual(['invoice.updated'])
  await polling.restart({
    watch: { invoices: { ...INVOICES, ignore: ['/usd_to_eur_rate'], notice: ['/usd_to_eur_rate'] } },
  })
  expect(await shown(0.93)).toEqual([])
})
