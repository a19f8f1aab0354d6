import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { SimulatedSlack, type KeptMessage } from '../deliver/channels/slack/simulated-slack.ts'
import { until } from '../deliver/until.ts'
import { batch, sampleEvent } from '../store/samples.ts'
import { ofTest } from '../support/of-test.ts'
import { Desk, type Answer } from './desk.ts'

const SIGNING = '8f742231b10e8888abcd99yyyzzz85a5'
const API_KEY = 'platform-key-0123456789'

interface Shown {
  readonly desk: Desk
  readonly slack: SimulatedSlack
  readonly message: () => KeptMessage
}

async function shown(accounts = ''): Promise<Shown> {
  const slack = ofTest(await SimulatedSlack.start())
  const app = `token: ${slack.token}, channel: C0123, live: true, api_url: '${slack.url}', signing_secret: ${SIGNING}`
  const text = (_: string, http: string): string => `accounts:
  acme: { base_url: 'http://127.0.0.1:9', api_key: ${API_KEY}, watch: {} }
  other: { base_url: 'http://127.0.0.1:9', api_key: ${API_KEY}, watch: {} }
subscriptions:
  ops: { slack: { ${app} }, events: ['shipment.*']${accounts} }
delivery: { allow_networks: [127.0.0.0/8] }
storage: { path: shipbell.db }
http: { listen: '127.0.0.1:0', public_url: 'https://bell.example', ${http} }
`
  const desk = await Desk.configured('token: admin-token-0123456789', { text })
  const problem = sampleEvent('evt_problem', {
    type: 'shipment.problem_reported',
    subject: { resource: 'shipment', id: 'SHP-1', version: 1, previousEventId: null },
    timestamp: desk.clock.now() - 60_000,
    extras: {
      date_change: { milestone: 'arrival', from: null, to: { date: '2026-12-01T10:00:00Z', status: 'problem' } },
    },
  })
  const deliveries = [{ eventId: 'evt_problem', subscription: 'ops' }]
  await desk.store.commit(batch({ events: [problem], deliveries }))
  await until(async () => {
    await desk.clock.advance(1_000)
    return slack.tops.length === 1
  })
  return { desk, slack, message: () => slack.tops[0] ?? expect.fail('no message') }
}

/** What Slack sends where somebody presses the button of a message, or does something else. */
function pressing(message: KeptMessage, about: Readonly<Record<string, unknown>> = {}): string {
  const [button] = buttonsOf(message)
  const payload = { type: 'block_actions', user: { id: 'U0OPS' }, message, actions: [button], ...about }
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
}

function buttonsOf({ blocks }: KeptMessage): readonly Readonly<Record<string, unknown>>[] {
  return blocks.flatMap(({ elements, type }) => (type === 'actions' && Array.isArray(elements) ? elements : []))
}

async function post({ desk }: Shown, body: string, { secret = SIGNING, ageMs = 0 } = {}): Promise<Answer> {
  const timestamp = String(Math.floor((desk.clock.now() - ageMs) / 1_000))
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    host: 'bell.example',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${digest}`,
  }
  return await desk.ask('/slack/actions', { method: 'POST', headers, body })
}

async function states({ desk }: Shown): Promise<readonly unknown[]> {
  const { items } = await desk.store.exceptionPage({ now: desk.clock.now(), limit: 10 })
  return items.map(({ acknowledged }) => acknowledged?.by ?? 'open')
}

test('a person acknowledges in Slack what is open of a shipment, and the message says so', async () => {
  const all = await shown()
  expect(buttonsOf(all.message()).map(({ action_id, url = null }) => [action_id, url])).toEqual([
    ['shipbell_acknowledge', null],
    ['shipbell_open', 'https://bell.example/records/shipment/acme/SHP-1#since=1'],
  ])
  const body = pressing(all.message())
  const answer = await post(all, body)
  expect([answer.status, answer.text]).toEqual([200, ''])
  expect(await states(all)).toEqual(['slack:U0OPS'])
  expect(all.desk.logged('admin.acted')).toMatchObject([{ who: 'slack:U0OPS', action: 'acknowledge' }])
  await until(() => JSON.stringify(all.message().blocks).includes('<@U0OPS>'))
  expect(buttonsOf(all.message()).map(({ action_id }) => action_id)).toEqual(['shipbell_open'])
  expect(all.slack.tops).toHaveLength(1)
  expect((await post(all, body)).status).toBe(200)
  expect(all.desk.logged('admin.acted')).toHaveLength(1)
  expect(all.desk.log).not.toContain(SIGNING)
})

test('what is acknowledged or taken back elsewhere shows in the message at once', async () => {
  const all = await shown()
  const { items } = await all.desk.store.exceptionPage({ now: all.desk.clock.now(), limit: 1 })
  const path = `/api/v1/exceptions/${items[0]?.id}`
  const request = { method: 'POST', token: 'admin-token-0123456789', body: '{}' } as const
  const headers = { 'content-type': 'application/json' }
  expect((await all.desk.ask(`${path}/acknowledge`, { ...request, headers })).status).toBe(200)
  await until(() => buttonsOf(all.message()).length === 1)
  expect(JSON.stringify(all.message().blocks)).toContain('token')
  expect((await all.desk.ask(`${path}/reopen`, { ...request, headers })).status).toBe(200)
  await until(() => buttonsOf(all.message()).length === 2)
  expect(all.slack.tops).toHaveLength(1)
})

test('nothing is done but for what Slack has just signed', async () => {
  const all = await shown()
  const body = pressing(all.message())
  expect((await post(all, body, { secret: 'another' })).status).toBe(401)
  expect((await post(all, body, { ageMs: 301_000 })).status).toBe(401)
  expect((await post(all, body, { ageMs: -301_000 })).status).toBe(401)
  expect((await all.desk.ask('/slack/actions', { method: 'POST', body })).status).toBe(401)
  expect((await post(all, 'payload=x')).status).toBe(400)
  expect((await post(all, pressing(all.message(), { user: { id: 'U 1\n' } }))).status).toBe(200)
  const elsewhere = {
    action_id: 'shipbell_acknowledge',
    value: JSON.stringify({ subscription: 'erp', account: 'acme', shipment: 'SHP-1' }),
  }
  expect((await post(all, pressing(all.message(), { actions: [elsewhere] }))).status).toBe(200)
  expect(await states(all)).toEqual(['open'])
})

test('exceptions of accounts that the subscription does not hear stay open', async () => {
  const all = await shown(', accounts: [other]')
  await post(all, pressing(all.message()))
  expect(await states(all)).toEqual(['open'])
})
