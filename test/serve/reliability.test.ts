import { expect, test } from 'vitest'
import { itemsOf } from './contract.ts'
import { TOKEN } from './desk.ts'
import { arrive, HIDDEN, MARK, sharedDesk, TOKENS } from './shared-desk.ts'

const API = '/api/v1/reliability'
const SEEN = { n: 1, within_day_of_first: 1, within_day_of_last: 1, median_drift_minutes: 120 }

test('figures of carriers and lanes are made of the accounts that a token sees', async () => {
  const desk = await sharedDesk()
  await arrive(desk.store, HIDDEN, MARK)
  await arrive(desk.store, 'acme', 'seen')
  await arrive(desk.store, 'acme', 'seen too')
  const items = async (path: string, token: string) => itemsOf(await desk.ask(path, { token }))
  const one = { key: 'seen lines', ...SEEN }
  expect(await items(API, TOKENS.looks)).toEqual([one, { ...one, key: 'seen too lines' }])
  expect(await items(`${API}?by=lane`, TOKENS.looks)).toEqual([{ key: 'CNSHA-NLRTM', ...SEEN, n: 2 }])
  expect(await items(`${API}?by=lane`, TOKEN)).toEqual([{ key: 'CNSHA-NLRTM', ...SEEN, n: 3 }])
  expect(await items(`${API}?account=${HIDDEN}`, TOKENS.looks)).toEqual([])
  expect(await items(`${API}?account=${HIDDEN}`, TOKEN)).toEqual([{ key: `${MARK} lines`, ...SEEN }])
  expect(await items(`${API}?by=lane&carrier=SEEN%20lines`, TOKEN)).toEqual([{ key: 'CNSHA-NLRTM', ...SEEN }])
  expect(await items(`${API}?lane=cnsha-nlrtm`, TOKEN)).toHaveLength(3)
  expect(await items(`${API}?lane=CNSHA-FRFOS`, TOKEN)).toEqual([])
  expect(await desk.ask(API, { token: TOKENS.erp_only })).toMatchObject({ status: 404 })
})

test('the list comes in parts', async () => {
  const desk = await sharedDesk({ hidden: false })
  await arrive(desk.store, 'acme', 'one')
  await arrive(desk.store, 'acme', 'two')
  const first = await desk.ask(`${API}?limit=1`, { token: TOKEN })
  expect(first.json).toMatchObject({ items: [{ key: 'one lines' }], next: expect.any(String) })
  const { next } = JSON.parse(first.text)
  const second = await desk.ask(`${API}?limit=1&cursor=${next}`, { token: TOKEN })
  expect(second.json).toMatchObject({ items: [{ key: 'two lines' }], next: null })
})

test('the page shows what the list says, names what is wrong beside its field, and loses nothing', async () => {
  const desk = await sharedDesk()
  await arrive(desk.store, HIDDEN, MARK)
  await arrive(desk.store, 'acme', 'seen')
  const page = async (path: string) =>
    (await desk.ask(path, { token: TOKENS.looks, headers: { accept: 'text/html' } })).text
  const lanes = await page('/reliability?by=lane&carrier=seen%20lines')
  for (const said of ['Shanghai (CNSHA) → Rotterdam (NLRTM)', '1 of 1', '100 %', 'later']) expect(lanes).toContain(said)
  const wrong = await page('/reliability?lane=Shanghai&carrier=seen%20lines')
  expect(wrong).toContain('A lane is two UN/LOCODEs')
  for (const kept of ['value="Shanghai"', 'value="seen lines"', '1 of 1']) expect(wrong).toContain(kept)
  expect(wrong).not.toContain(MARK)
})
