import { expect, test } from 'vitest'
import { itemsOf } from './contract.ts'
import { TOKEN } from './desk.ts'
import { arrive, HIDDEN, MARK, sharedDesk, TOKENS } from './shared-desk.ts'

const API = '/api/v1/reliability'
const SEEN = { n: 1, within_day_of_first: 1, within_day_of_last: 1, median_drift_minutes: 120 }

test('figures of carriers and lanes are made of the accounts that a token sees', { tags: 'long' }, async () => {
  const desk = await sharedDesk()
  await arrive(desk.store, { account: HIDDEN, mark: MARK })
  await arrive(desk.store, { account: 'acme', mark: 'seen' })
  await arrive(desk.store, { account: 'acme', mark: 'other' })
  const items = async (path: string, token: string) => itemsOf(await desk.ask(path, { token }))
  const one = { key: 'seen lines', ...SEEN }
  expect(await items(API, TOKENS.looks)).toEqual([{ ...one, key: 'other lines' }, one])
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
  await arrive(desk.store, { account: 'acme', mark: 'one' })
  await arrive(desk.store, { account: 'acme', mark: 'two' })
  const first = await desk.ask(`${API}?limit=1`, { token: TOKEN })
  expect(first.json).toMatchObject({ items: [{ key: 'one lines' }], next: expect.any(String) })
  const { next } = JSON.parse(first.text)
  const second = await desk.ask(`${API}?limit=1&cursor=${next}`, { token: TOKEN })
  expect(second.json).toMatchObject({ items: [{ key: 'two lines' }], next: null })
})

test('the table has all that the page or the list has, and nothing that a spreadsheet would calculate', async () => {
  const desk = await sharedDesk()
  await arrive(desk.store, { account: HIDDEN, mark: MARK })
  await arrive(desk.store, { account: 'acme', mark: '=seen' })
  const tables = ['/reliability?format=csv', `${API}?format=csv&by=carrier&limit=1`].map(async (path) => {
    const { headers, text } = await desk.ask(path, { token: TOKENS.looks })
    return [headers['content-type'], text]
  })
  const table = "key,n,within_day_of_first,within_day_of_last,median_drift_minutes\r\n'=seen lines,1,1,1,120\r\n"
  for (const each of await Promise.all(tables)) expect(each).toEqual(['text/csv; charset=utf-8; header=present', table])
  expect(await desk.ask('/reliability?format=csv&lane=x', { token: TOKENS.looks })).toMatchObject({ status: 422 })
})

test('the page shows what the list says, names what is wrong beside its field, and loses nothing', async () => {
  const desk = await sharedDesk()
  await arrive(desk.store, { account: HIDDEN, mark: MARK })
  await arrive(desk.store, { account: 'acme', mark: 'seen' })
  const page = async (path: string) =>
    (await desk.ask(path, { token: TOKENS.looks, headers: { accept: 'text/html' } })).text
  const lanes = await page('/reliability?by=lane&carrier=seen%20lines')
  for (const said of ['Shanghai (CNSHA) → Rotterdam (NLRTM)', '1 of 1', '100 %', 'later']) expect(lanes).toContain(said)
  const wrong = await page('/reliability?lane=Shanghai&carrier=seen%20lines')
  expect(wrong).toContain('give two UN/LOCODEs')
  for (const kept of ['value="Shanghai"', 'value="seen lines"', '1 of 1']) expect(wrong).toContain(kept)
  expect(wrong).not.toContain(MARK)
})

test('the page of a shipment says when such arrivals came, once there are twenty', { tags: 'long' }, async () => {
  const desk = await sharedDesk({ hidden: false })
  const page = async () =>
    (await desk.ask('/records/shipment/acme/seen-arrived', { token: TOKEN, headers: { accept: 'text/html' } })).text
  await arrive(desk.store, { account: 'acme', mark: 'seen', aheadDays: 10, isToCome: true })
  for (let nth = 1; nth <= 19; nth += 1)
    await arrive(desk.store, { account: 'acme', mark: `seen ${nth}`, aheadDays: nth < 9 ? 10 : 12 })
  expect(await page()).not.toContain('80 % of')
  await arrive(desk.store, { account: 'acme', mark: 'seen 20', aheadDays: 10 })
  expect(await page()).toMatch(/80 % of 20 arrivals by <bdi>seen lines<\/bdi> after the same lead time fell between/)
  for (const said of ['Told once', 'by=carrier&amp;lane=CNSHA-NLRTM']) expect(await page()).toContain(said)
  const arrived = await desk.ask('/records/shipment/acme/seen%2020-arrived', { token: TOKEN })
  for (const said of ['2 hours later than first told', 'by=lane&amp;carrier=seen+lines'])
    expect(arrived.text).toContain(said)
  expect(arrived.text).not.toContain('80 % of')
})
