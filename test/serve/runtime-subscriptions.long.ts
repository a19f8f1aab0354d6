import { createHmac } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { field, textField, type Json, type JsonObject } from '../../src/model/json.ts'
import { ring, sampleEvent } from '../store/samples.ts'
import { startHttpServer } from '../../src/http-server.ts'
import { Contract } from './contract.ts'
import { Desk, TOKEN, VIEWER, type Answer, type Asking } from './desk.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const HEADER = 'a-header-value-0123456789'
const HTTP = `token: ${TOKEN}, viewer_token: ${VIEWER}`

function access(section = `key: ${KEY}, max: 2, allow: { networks: [127.0.0.0/8] }, ttl: 0s`): string {
  return `${HTTP} }\nruntime_subscriptions: { ${section}`
}

/** What is posted to a customer, who takes what is signed with the secret that he has. */
interface Posted {
  readonly received: string[]
  readonly problems: string[]
  asked: number
  secret: string
  answer: () => number
  url: string
}

async function listening(): Promise<Posted> {
  const posted: Posted = { received: [], problems: [], asked: 0, secret: '', answer: () => 200, url: '' }
  const fetch = async (request: Request): Promise<Response> => {
    const body = await request.text()
    const [id, at, signatures = ''] = ['id', 'timestamp', 'signature'].map(
      (name) => request.headers.get(`webhook-${name}`) ?? '',
    )
    const key = Buffer.from(posted.secret.slice(6), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
    posted.asked += 1
    if (!signatures.split(' ').includes(`v1,${signature}`)) {
      posted.problems.push(signatures)
      return new Response('who are you', { status: 401 })
    }
    const status = posted.answer()
    if (status < 300) posted.received.push(textField(JSON.parse(body), 'type') ?? '')
    return new Response(status === 204 ? null : 'an answer that nobody keeps', { status })
  }
  const server = await startHttpServer({ host: '127.0.0.1', port: 0, purpose: 'The receiver', remedy: '', fetch })
  onTestFinished(async () => server[Symbol.asyncDispose]())
  posted.url = server.url
  return posted
}

/** A desk, and somebody who subscribes; each answer is as the document says. */
class Customer {
  readonly desk: Desk
  readonly receiver: Posted
  readonly #contract: Contract

  private constructor(desk: Desk, receiver: Posted, contract: Contract) {
    this.desk = desk
    this.receiver = receiver
    this.#contract = contract
  }

  static async at(desk: Desk): Promise<Customer> {
    const receiver = await listening()
    return new Customer(desk, receiver, await Contract.of(desk))
  }

  async ask(path: string, asking: Asking & { readonly json?: Json } = {}): Promise<Answer> {
    const { json, ...others } = asking
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    return await this.#contract.ask(`/api/v1/subscriptions${path}`, { token: TOKEN, ...others, ...body })
  }

  async make(keys: JsonObject = {}): Promise<Answer> {
    const all = { name: 'cust', url: `${this.receiver.url}/in?key=0123456789abcdef`, events: ['shipment.*'], ...keys }
    return await this.ask('', { method: 'POST', json: { ...all, headers: { 'x-team': HEADER } } })
  }

  /** Made, and verified by the test that it takes. */
  async made(keys: JsonObject = {}): Promise<void> {
    const { json } = await this.make(keys)
    this.receiver.secret = textField(json, 'secret') ?? ''
    await this.until('ok')
  }

  async state(): Promise<string | null> {
    return textField((await this.ask('/cust')).json, 'state')
  }

  /** Time goes on until the subscription is in a state. */
  async until(state: string): Promise<void> {
    await this.passing(async () => expect(await this.state()).toBe(state))
  }

  async passing(check: () => Promise<void>): Promise<void> {
    await vi.waitFor(async () => {
      await this.desk.clock.advance(250)
      await check()
    }, WAIT)
  }
}

/** A failing check shows only after this; machines are shared and noisy. */
const WAIT = { timeout: 20_000, interval: 20 }

async function opened(section?: string): Promise<Customer> {
  return await Customer.at(await Desk.open(access(section)))
}

test('one that is made is sent nothing but a test until that is answered, then all that was held', async () => {
  const customer = await opened()
  const { desk, receiver } = customer
  receiver.answer = () => 503
  const { headers, json, status } = await customer.make({ min_shift: '12h' })
  expect([status, headers['location'], headers['cache-control']]).toEqual([
    201,
    '/api/v1/subscriptions/cust',
    'no-store',
  ])
  expect(json).toMatchObject({ name: 'cust', state: 'unverified', source: 'api', owner: null, min_shift: '12h' })
  receiver.secret = textField(json, 'secret') ?? ''
  await ring(desk.store, [sampleEvent('evt_1')], ['cust'])
  await customer.passing(async () => expect(receiver.asked).toBeGreaterThan(0))
  expect(field((await customer.ask('/cust')).json, 'deliveries')).toMatchObject({ held: 1 })
  const tried = await desk.during(customer.ask('/cust/test', { method: 'POST' }))
  expect(tried.json).toMatchObject({ status: 503, disabled: expect.stringMatching(/not verified/) })
  receiver.answer = () => 204
  await customer.passing(async () => {
    await desk.clock.advance(20_000)
    expect(receiver.received).toEqual(['shipbell.test', 'shipment.status_changed'])
  })
  expect([await customer.state(), receiver.problems]).toEqual(['ok', []])
  const acted = { subscription: 'cust', who: 'http.token' }
  expect(desk.logged('admin.acted')).toMatchObject(['subscribe', 'test'].map((action) => ({ action, ...acted })))
})

test('what is wrong is said at its place, and what cannot be is a conflict', async () => {
  const customer = await opened()
  const wrong = await customer.make({ events: ['nope.*'], where: 'a ==' })
  expect([wrong.status, field(wrong.json, 'errors')]).toMatchObject([422, [{ name: 'events.0' }, { name: 'where' }]])
  const { json: strange } = await customer.make({ rat: 1, zz: 1 })
  const document = (await customer.desk.ask('/api/openapi.json', { token: TOKEN })).json
  const asked = field(field(field(document, 'components'), 'schemas'), 'NewSubscription')
  const keys = /the keys here are ([\w, ]+)/.exec(JSON.stringify(strange))?.[1]?.split(', ')
  expect(Object.keys(Object(field(asked, 'properties'))).toSorted()).toEqual(keys?.toSorted())
  expect((await customer.make({ url: 'http://10.0.0.1/' })).status).toBe(422)
  expect((await customer.ask('', { method: 'POST', body: '{' })).status).toBe(400)
  expect((await customer.make({ name: 'erp' })).status).toBe(409)
  await customer.made()
  expect((await customer.make()).status).toBe(409)
  expect((await customer.make({ name: 'second' })).status).toBe(201)
  expect((await customer.make({ name: 'third' })).json).toMatchObject({
    status: 409,
    detail: expect.stringMatching(/no more are allowed/),
  })
  const renamed = await customer.ask('/cust', { method: 'PATCH', json: { name: 'other' } })
  expect([renamed.status, field(renamed.json, 'errors')]).toMatchObject([422, [{ name: 'name' }]])
  expect((await customer.ask('/erp', { method: 'PATCH', json: {} })).status).toBe(409)
  expect((await customer.ask('/nope', { method: 'DELETE' })).status).toBe(404)
  expect((await customer.ask('/cust', { method: 'DELETE', token: VIEWER })).status).toBe(403)
})

test('a change is in force at once, null takes a key back, and another address is verified anew', async () => {
  const customer = await opened()
  await customer.made({ order: 'subject' })
  const kept = await customer.ask('/cust', { method: 'PATCH', json: { order: null, payload: 'thin' } })
  expect(kept.json).toMatchObject({ state: 'ok', payload: 'thin', events: ['shipment.*'] })
  expect(kept.json).not.toHaveProperty('order')
  const moved = await customer.ask('/cust', { method: 'PATCH', json: { url: `${customer.receiver.url}/there` } })
  expect(moved.json).toMatchObject({ state: 'unverified' })
  await customer.until('ok')
  expect(customer.receiver.received).toEqual(['shipbell.test', 'shipbell.test'])
})

test('a new secret signs at once, and the old one beside it for a day', async () => {
  const customer = await opened()
  await customer.made()
  const { json } = await customer.ask('/cust/rotate-secret', { method: 'POST' })
  const send = async (): Promise<void> => {
    const answer = customer.ask('/cust/test', { method: 'POST' })
    expect((await customer.desk.during(answer)).status).toBe(200)
  }
  await send()
  customer.receiver.secret = textField(json, 'secret') ?? ''
  await send()
  expect([customer.receiver.received.length, customer.receiver.problems]).toEqual([3, []])
})

test('one that nobody renews is disabled, then ends with what waits', async () => {
  const customer = await opened(`key: ${KEY}, ttl: 20s, allow: { networks: [127.0.0.0/8] }`)
  const { clock, store } = customer.desk
  await customer.made()
  await clock.advance(20_000)
  await customer.until('disabled')
  expect(field((await customer.ask('/cust')).json, 'disabled')).toMatchObject({ by: 'lapsed' })
  await customer.ask('/cust', { method: 'PATCH', json: {} })
  await customer.until('ok')
  await store.disable('cust', { reason: 'by a test', at: clock.now() })
  await ring(store, [sampleEvent('evt_1')], ['cust'])
  await clock.advance(40_000)
  await customer.passing(async () => expect((await customer.ask('/cust')).status).toBe(404))
  const { items } = await store.deliveryPage({ subscription: 'cust', limit: 5, tests: false })
  expect(items.map(({ state }) => state)).toEqual(['discarded'])
})

test('what the file does not allow any more is disabled, and says why', async () => {
  const customer = await opened()
  await customer.made()
  await customer.desk.reload(access(`key: ${KEY}, allow: { events: ['invoice.*'], networks: [127.0.0.0/8] }`))
  await customer.until('disabled')
  expect(field((await customer.ask('/cust')).json, 'disabled')).toMatchObject({
    by: 'bounds',
    reason: expect.stringMatching(/invoice\.\*/),
  })
  await customer.desk.reload(HTTP)
  await customer.passing(async () =>
    expect(field((await customer.ask('/cust')).json, 'disabled')).toMatchObject({ by: 'section' }),
  )
  expect((await customer.make({ name: 'other' })).json).toMatchObject({
    status: 409,
    detail: expect.stringMatching(/come from files alone/),
  })
  await customer.desk.reload(access())
  await customer.until('ok')
  expect(customer.desk.logged('subscription.disabled')).toHaveLength(2)
})

test('nothing that is secret is in the store, the log or an answer, and a restart opens it', async () => {
  const customer = await opened()
  await customer.made()
  const { secret } = customer.receiver
  const read = [
    await customer.ask('/cust'),
    await customer.ask(''),
    await customer.desk.ask('/subscriptions/cust', { token: TOKEN }),
  ]
  const { items } = await customer.desk.store.deliveryPage({ subscription: 'cust', limit: 1 })
  const { json } = await customer.desk.ask(`/api/v1/deliveries/${items[0]?.id ?? ''}`, { token: TOKEN })
  expect(field(json, 'tried')).toMatchObject([{ status: 200, answer: null }])
  const folder = customer.desk.folder
  const files = readdirSync(folder).filter((name) => name.startsWith('shipbell.db'))
  const texts = [
    ...read.map(({ text }) => text),
    customer.desk.log,
    ...files.map((name) => readFileSync(`${folder}/${name}`, 'latin1')),
  ]
  for (const hidden of [secret, secret.slice(6), HEADER, '0123456789abcdef'])
    expect(texts.filter((text) => text.includes(hidden))).toEqual([])
  const again = await customer.desk.restarted()
  expect((await again.ask('/api/v1/subscriptions/cust', { token: TOKEN })).json).toMatchObject({ state: 'ok' })
  await again.close()
  const other = access(`key: ${Buffer.alloc(32, 8).toString('base64')}`)
  await expect(Desk.open(other, again)).rejects.toThrow(/shipbell\.yaml: `runtime_subscriptions\.key` does not open/)
})

test('an operator makes, tests and ends one on the desk, and sees its secret once', async () => {
  const customer = await opened()
  const { desk, receiver } = customer
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const headers = { cookie: await desk.signIn(TOKEN), 'sec-fetch-site': 'same-origin', ...type }
  const post = async (path: string, fields: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    await desk.during(desk.ask(path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() }))
  expect((await desk.ask('/subscriptions', { headers })).text).toContain('href="/subscribe"')
  expect((await desk.ask('/subscribe', { headers })).text).toContain('name="events"')
  const wrong = await post('/subscribe', { name: 'cust', url: `${receiver.url}/`, events: 'nope.* shipment.*' })
  expect([
    wrong.status,
    wrong.text.includes('names no event type with'),
    wrong.text.includes('nope.* shipment.*'),
  ]).toEqual([422, true, true])
  const made = await post('/subscribe', {
    name: 'cust',
    url: `${receiver.url}/`,
    events: 'shipment.*, invoice.due',
    where: '',
  })
  const secret = /whsec_[\w+/=]+/.exec(made.text)?.[0] ?? ''
  expect([made.status, secret.length > 40]).toEqual([200, true])
  receiver.secret = secret
  await customer.until('ok')
  expect((await post('/subscribe', { name: 'cust', url: `${receiver.url}/`, events: '*' })).status).toBe(409)
  const page = (await desk.ask('/subscriptions/cust', { headers })).text
  expect([page.includes('Rotate secret'), page.includes(secret)]).toEqual([true, false])
  const rotated = await post('/subscriptions/cust/rotate')
  expect(/whsec_[\w+/=]+/.exec(rotated.text)?.[0]).not.toBe(secret)
  expect((await desk.ask('/subscriptions/cust/end', { headers })).text).toContain('Confirm')
  expect([(await post('/subscriptions/cust/end')).status, (await customer.ask('/cust')).status]).toEqual([303, 404])
  const viewer = { headers: { ...headers, cookie: await desk.signIn(VIEWER) } }
  const others = [
    await desk.ask('/subscribe', viewer),
    await desk.ask('/subscribe', { ...viewer, method: 'POST', body: 'name=a' }),
  ]
  expect(others.map(({ status }) => status)).toEqual([403, 403])
})
