import { expect, test, vi } from 'vitest'
import { field, isJsonArray, textField } from '../../src/model/json.ts'
import { createLogger } from '../../src/log.ts'
import { TokenUses } from '../../src/serve/access/token-uses.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { sampleEvent, T, batch } from '../store/samples.ts'
import { TOKEN, VIEWER, type Desk } from './desk.ts'
import { HIDDEN, HTTP, sharedDesk, TOKENS } from './shared-desk.ts'
import { Reader } from './stream-reader.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function login(desk: Desk, token: string) {
  return await desk.ask('/login', { method: 'POST', headers: FORM, body: new URLSearchParams({ token }).toString() })
}

test('a session is that of its token: it sees as much, and ends with it', async () => {
  const desk = await sharedDesk()
  const cookie = await desk.signIn(TOKENS.looks)
  const open = async (path: string) => await desk.ask(path, { headers: { cookie, accept: 'text/html' } })
  const list = await open('/records/shipment')
  const nav = /<nav class="main"[\s\S]*?<\/nav>/.exec(list.text)?.[0] ?? ''
  expect([...nav.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
    '/',
    '/records/shipment',
    '/records/invoice',
    '/events',
    '/deliveries',
    '/subscriptions',
    '/accounts',
  ])
  expect(list.text).toContain('seen goods')
  expect([(await open('/system')).status, (await open('/plan')).status, (await open('/')).status]).toEqual([
    404, 404, 200,
  ])
  await desk.reload(HTTP.replace('accounts: [acme] },\n', `accounts: [${HIDDEN}] },\n`))
  expect((await open('/records/shipment')).text).not.toContain('seen goods')
  await desk.reload(HTTP.replace(TOKENS.looks, 'another-token-0123456789'))
  expect((await open('/records/shipment')).headers.location).toMatch(/^\/login/)
})

test('a token of one subscription signs nobody in', async () => {
  const desk = await sharedDesk()
  const refused = await login(desk, TOKENS.erp_only)
  expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined])
  const link = await desk.ask('/login/link', { method: 'POST', token: TOKENS.erp_only })
  expect(link.status).toBe(404)
  expect((await desk.ask('/', { token: TOKENS.erp_only })).status).toBe(404)
})

test('any token ends reading without one, and a right one is never locked out', async () => {
  const desk = await sharedDesk()
  await desk.reload(`tokens: { looks: { token: ${TOKENS.looks}, accounts: [acme] } }`)
  // The full token stays until a restart: no address loses the one that it has.
  expect((await desk.ask('/api/v1/events')).status).toBe(401)
  const [guess, right] = [{ token: 'guess' }, { token: TOKENS.looks }]
  for (let nth = 0; nth < 20; nth += 1) expect((await desk.ask('/api/v1/events', guess)).status).toBe(401)
  expect((await desk.ask('/api/v1/events', guess)).status).toBe(429)
  expect((await desk.ask('/api/v1/events', right)).status).toBe(200)
  expect((await login(desk, TOKENS.looks)).status).toBe(303)
})

test('the use of a token is logged with its name, and no token ever is', async () => {
  const desk = await sharedDesk()
  for (let nth = 0; nth < 3; nth += 1) await desk.ask('/api/v1/events', { token: TOKENS.looks })
  await desk.ask('/api/v1/events', { token: VIEWER })
  expect(desk.logged('admin.token_used')).toMatchObject([{ who: 'looks', role: 'viewer', peer: '127.0.0.1' }])
  for (const secret of Object.values(TOKENS)) expect(desk.log).not.toContain(secret)
})

test('the use of a token is said again after an hour, and from another address', async () => {
  const said: object[] = []
  const clock = new FakeClock()
  const log = createLogger({
    level: 'info',
    pretty: false,
    colour: false,
    secrets: () => [],
    write: (line) => said.push(JSON.parse(line)),
  })
  const uses = new TokenUses({ clock, log })
  const asker = { name: 'looks', role: 'viewer', scope: { kind: 'accounts', accounts: ['acme'] } } as const
  for (const peer of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) uses.seen(asker, peer)
  uses.seen({ ...asker, scope: { kind: 'all' } }, '192.0.2.3')
  expect(said).toHaveLength(2)
  await clock.advance(3_600_000)
  uses.seen(asker, '192.0.2.1')
  expect(said).toHaveLength(3)
})

/** A request for what a subscription lacks. */
function missingOf(subscription: string): string {
  return JSON.stringify({ subscription, since: '2026-11-01', missing: true })
}

test('an operator acts on what they see, by their name, and on nothing else', async () => {
  const desk = await sharedDesk()
  const act = async (path: string, token: string = TOKENS.operates, body = '{}') =>
    await desk.during(desk.ask(`/api/v1${path}`, { method: 'POST', token, body }))
  const { json } = await desk.ask('/api/v1/exceptions', { token: TOKENS.operates })
  const items = field(json, 'items')
  const id = textField(isJsonArray(items) ? items[0] : null, 'id')
  const acknowledged = await act(`/exceptions/${id}/acknowledge`, TOKENS.operates, '{"note":"seen to"}')
  expect(field(acknowledged.json, 'acknowledged')).toMatchObject({ by: 'operates', note: 'seen to' })
  expect((await act(`/exceptions/${id}/reopen`)).status).toBe(200)
  expect((await act('/holds/acme/shipments/reject')).status).toBe(200)
  expect((await act(`/holds/${HIDDEN}/shipments/reject`)).status).toBe(404)
  // Of an event that several hear, the rows that are seen are sent again, and no other.
  expect((await act('/deliveries/evt_seen1/retry')).status).toBe(202)
  expect((await act('/deliveries/evt_zz-hidden1/retry')).status).toBe(404)
  expect((await act('/subscriptions/erp/discard')).json).toMatchObject({ subscription: 'erp', discarded: 2 })
  for (const name of ['all', 'mixed', 'zz-theirs'])
    expect((await act(`/subscriptions/${name}/discard`)).status).toBe(404)
  expect((await act('/deliveries/retry', TOKENS.operates, missingOf('other'))).status).toBe(202)
  expect((await act('/deliveries/retry', TOKENS.operates, missingOf('all'))).status).toBe(404)
  expect((await act('/deliveries/retry', TOKENS.looks, missingOf('all'))).status).toBe(403)
  const acts = desk.logged('admin.acted')
  expect(new Set(acts.map(({ role, who }) => `${String(who)} ${String(role)}`))).toEqual(new Set(['operates operator']))
  expect(acts.map(({ action }) => action)).toEqual([
    'acknowledge',
    'reopen',
    'reject',
    'retry',
    'retry',
    'discard',
    'retry',
  ])
})

test('an operator is told what came of the test that they sent, though its event is of no account', async () => {
  const desk = await sharedDesk({ hidden: false })
  desk.receiver.status = 500
  const { json } = await desk.during(
    desk.ask('/api/v1/subscriptions/other/test', { method: 'POST', token: TOKENS.operates }),
  )
  expect(json).toMatchObject({ delivered: false, status: 500, error: expect.stringContaining('answered 500') })
  const { status } = await desk.ask(`/api/v1/deliveries/${textField(json, 'delivery_id')}`, { token: TOKENS.operates })
  expect(status).toBe(404)
})

test('what an operator makes at run time is theirs, within their accounts', async () => {
  const desk = await sharedDesk()
  const asked = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body: object = {}) => {
    const about = { method, token: TOKENS.operates, ...(method !== 'GET' && { body: JSON.stringify(body) }) }
    return await desk.during(desk.ask(`/api/v1${path}`, about))
  }
  const keys = { url: 'https://192.0.9.1/hooks', events: ['shipment.*'] }
  const beyond = await asked('POST', '/subscriptions', { ...keys, name: 'mine', accounts: [HIDDEN] })
  expect(beyond.status).toBe(422)
  const made = await asked('POST', '/subscriptions', { ...keys, name: 'mine' })
  expect([made.status, field(made.json, 'owner')]).toEqual([201, 'operates'])
  const seen = async (token: string) => (await desk.ask('/api/v1/subscriptions/mine', { token })).status
  expect([await seen(TOKENS.operates), await seen(TOKENS.looks), await seen(TOKEN)]).toEqual([200, 404, 200])
  const offers = async (token: string) =>
    (await desk.ask('/subscriptions', { token })).text.includes('href="/subscribe"')
  expect([await offers(TOKENS.operates), await offers(TOKENS.looks), await offers(TOKEN)]).toEqual([true, false, true])
  expect((await asked('PATCH', '/subscriptions/mine', { accounts: [HIDDEN] })).status).toBe(422)
  // A key that is none is an error where it is taken back, too.
  expect((await asked('PATCH', '/subscriptions/mine', { min_shfit: null })).status).toBe(422)
  expect((await asked('POST', '/subscriptions', { ...keys, name: 'other', secret: null })).status).toBe(422)
  const misspelt = await asked('POST', '/subscriptions', { ...keys, name: 'other', events: ['shipment.departd'] })
  expect(textField(misspelt.json, 'detail')).toMatch(/did you mean `shipment\.departed`\?$/)
  expect((await asked('PATCH', '/subscriptions/erp', { accounts: [HIDDEN] })).status).toBe(409)
  expect((await asked('DELETE', '/subscriptions/all')).status).toBe(404)
  expect((await asked('DELETE', '/subscriptions/mine')).status).toBe(204)
  expect(await seen(TOKENS.operates)).toBe(404)
  await asked('POST', '/subscriptions', { ...keys, name: 'orphan' })
  await desk.reload(HTTP.replace('operates:', 'another:'))
  const orphan = async (method: 'GET' | 'PATCH') => {
    const about = { method, token: TOKEN, ...(method === 'PATCH' && { body: '{}' }) }
    return field((await desk.during(desk.ask('/api/v1/subscriptions/orphan', about))).json, 'state')
  }
  await vi.waitFor(async () => {
    await desk.clock.advance(250)
    expect(await orphan('GET')).toBe('disabled')
  }, 20_000)
  expect(await orphan('PATCH')).toBe('disabled')
})

test('work that an operator began is shown to them, and to those who see everything', async () => {
  const desk = await sharedDesk()
  const begin = await desk.ask('/deliveries/retry', {
    method: 'POST',
    token: TOKEN,
    headers: FORM,
    body: new URLSearchParams({ subscription: 'zz-theirs' }).toString(),
  })
  const path = String(begin.headers.location)
  expect(path).toMatch(/^\/jobs\//)
  const asked = async (token: string) => (await desk.ask(path, { token, headers: { accept: 'text/html' } })).status
  expect([await asked(TOKEN), await asked(TOKENS.operates), await asked(TOKENS.looks)]).toEqual([200, 404, 404])
})

async function rings(desk: Desk, account: string, id: string): Promise<void> {
  const deliveries = ['all', 'other'].map((subscription) => ({ eventId: id, subscription }))
  await desk.store.commit({
    ...batch({ events: [sampleEvent(id, { account, timestamp: T + 9_000 })], deliveries }),
    account,
  })
}

test('a stream shows what is seen, and its places say nothing and resume', async () => {
  const desk = await sharedDesk()
  const authorization = `Bearer ${TOKENS.looks}`
  const reader = await Reader.open(desk, '', { authorization })
  const begun = reader.lastId
  await rings(desk, HIDDEN, 'evt_other')
  await rings(desk, 'acme', 'evt_mine')
  await desk.clock.advance(2_000)
  await expect.poll(() => reader.ids).toEqual(['evt_mine'])
  expect(reader.text).not.toMatch(/evt_other|"all"/)
  expect(begun).toMatch(/^[\w-]{30,}$/)
  await rings(desk, 'acme', 'evt_next')
  const resumed = await Reader.open(desk, '', { authorization, 'last-event-id': begun })
  await desk.clock.advance(2_000)
  await expect.poll(() => resumed.ids).toEqual(['evt_mine', 'evt_next'])
  for (const forged of ['1', '0', begun.slice(0, -1), begun.toLowerCase()]) {
    const headers = { authorization, 'last-event-id': forged }
    expect((await desk.ask('/api/v1/stream', { headers })).status).toBe(422)
  }
  const other = { authorization: `Bearer ${TOKENS.operates}`, 'last-event-id': begun }
  expect((await desk.ask('/api/v1/stream', { headers: other })).status).toBe(422)
  // What a token lets see has changed: its streams end, and begin anew with that.
  await desk.reload(HTTP.replace('accounts: [acme] },\n', `accounts: [${HIDDEN}] },\n`))
  await desk.clock.advance(2_000)
  await reader.ended
})

test('a viewer is told that they only look of what they see, and nothing of anything else', async () => {
  const desk = await sharedDesk()
  const asked = async (method: 'POST' | 'PUT' | 'DELETE', path: string, token: string = TOKENS.looks) =>
    (await desk.ask(`/api/v1${path}`, { method, token, body: '{}' })).status
  expect([await asked('POST', '/subscriptions/erp/enable'), await asked('POST', '/subscriptions/all/enable')]).toEqual([
    403, 404,
  ])
  expect([await asked('PUT', '/subscriptions/erp'), await asked('PUT', '/subscriptions/all')]).toEqual([403, 404])
  expect([
    await asked('PUT', '/subscriptions/erp', TOKENS.operates),
    await asked('PUT', '/plan', TOKENS.operates),
  ]).toEqual([405, 404])
  expect((await desk.ask('/readyz', { token: TOKENS.looks })).json).toEqual({ status: expect.any(String) })
})
