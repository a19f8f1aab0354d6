import { expect, test } from 'vitest'
import type { Desk } from './desk.ts'
import { arrive, HIDDEN, MARK, sharedDesk, TOKENS, type NarrowerName } from './shared-desk.ts'

const NAMES = ['looks', 'operates', 'erp_only'] as const satisfies readonly NarrowerName[]

/** What lists, pages and sums are asked by. */
const QUERIES = [
  '/status /accounts /accounts/acme /subscriptions /subscriptions/erp /holds /events /events?limit=1 /events?type=shipment.*',
  '/events?resource=shipment /events?subject=seen%2F1%20.. /events/evt_seen1 /events/evt_seen3 /deliveries /deliveries?limit=2',
  '/deliveries?state=held /deliveries?event=evt_seen1 /deliveries?subscription=all /deliveries?account=acme /records/shipment',
  '/search?q=goods /search?q=se%20goods /search?q=hid /records/shipment?q=goods /records/shipment?status=booked /records/shipment?q=seen /records/shipment/acme/seen%2F1%20..',
  '/records/invoice?due=any /slips?since=2026-11-01 /reliability /reliability?by=lane /exceptions /exceptions?state=open /exceptions?type=shipment.delivery_at_risk',
].flatMap((line) => line.split(' ').map((path) => `/api/v1${path}`))
const PAGES = [
  '/ /search?q=goods /records/shipment /records/shipment?q=goods /records/shipment/acme/seen%2F1%20.. /records/document /slips?days=30 /reliability /events',
  '/events/evt_seen1 /events/evt_seen /events/1 /deliveries /deliveries?cause=x /subscriptions /subscriptions/erp /accounts',
  '/accounts/acme /deliveries/retry?subscription=erp /subscriptions/erp/discard /subscriptions/erp/snapshot /accounts/acme/holds/shipments/accept /system',
].flatMap((line) => line.split(' '))

test('what narrower tokens are answered is the same whether others have anything or not', async () => {
  const [beside, alone] = [await sharedDesk(), await sharedDesk({ hidden: false })]
  await arrive(beside.store, { account: HIDDEN, mark: MARK })
  for (const { store } of [beside, alone]) await arrive(store, { account: 'acme', mark: 'seen' })
  for (const who of NAMES) {
    for (const path of [...QUERIES, ...PAGES]) {
      const html = { accept: 'text/html' }
      const [one, other] = await Promise.all(
        [beside, alone].map(async (desk) => {
          const { status, text } = await desk.ask(path, {
            token: TOKENS[who],
            headers: path.startsWith('/api') ? {} : html,
          })
          return `${status} ${withoutSeals(text, desk)}`
        }),
      )
      expect([who, path, one]).toEqual([who, path, other])
    }
  }
})

/** Places are sealed anew each time, each store has series of its own, and receivers listen where there is room. */
function withoutSeals(text: string, desk: Desk): string {
  return text.replaceAll(/("next":"|"series":"|cursor=)[\w-]+/g, '$1').replaceAll(desk.receiver.url, '')
}

const HOSTILE = [
  '/api/v1/accounts/acme%2F..%2Fconstructor',
  '/api/v1/accounts/%2e%2e%2fconstructor',
  '/api/v1/accounts/../plan',
  '/api/v1/accounts/acme%00',
  '/api/v1/accounts/__proto__',
  '/api/v1/accounts/hasOwnProperty',
  '/api/v1/accounts/ACME',
  '/api/v1/accounts/%E0%A4%A',
  `/api/v1/accounts/${'a'.repeat(4_000)}`,
  '/api/v1/records/shipment/acme%2Fx/1',
  `/api/v1/records/shipment/${HIDDEN}/${encodeURIComponent(`${MARK}/1 ..`)}`,
  `/api/v1/records/shipment/acme/..%2F..%2F${HIDDEN}%2F${MARK}%2F1`,
  '/api/v1/subscriptions/constructor',
  '/api/v1//plan',
  '/api/v1/plan/',
  '/api/v1/pl%61n',
  '/%61pi/v1/plan',
  '/pl%61n',
  '//plan',
  '/plan/',
  '/metrics?x=/login',
  '/assets/..%2fmetrics',
  '/login/../metrics',
  '/subscriptions/zz-theirs/discard?name=erp',
  '/subscriptions/zz-theirs/snapshot?resource=shipment',
  '/accounts/acme%0a/holds/shipments/accept',
] as const

test('hostile names and paths lead nowhere', async () => {
  const desk = await sharedDesk()
  for (const path of HOSTILE) {
    for (const who of NAMES) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const) {
        const { status, text } = await desk.ask(path, { method, token: TOKENS[who] })
        expect([path, who, method, status >= 400 && status < 500]).toEqual([path, who, method, true])
        expect(text.replaceAll(/constructor|zz-hidden/g, (name) => (path.includes(name) ? '' : name))).not.toMatch(
          /constructor|zz-hidden/,
        )
      }
    }
  }
})
