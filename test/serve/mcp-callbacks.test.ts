import { expect, onTestFinished, test, vi } from 'vitest'
import { verify } from '@shipbell/events'
import { startHttpServer } from '../../src/http-server.ts'
import { textField } from '../../src/model/json.ts'
import { ring, sampleEvent } from '../store/samples.ts'
import { Desk, TOKEN, VIEWER } from './desk.ts'
import { called, connected, toolNames } from './mcp-client.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const OPERATES = 'operates-token-0123456789'
const ALLOWED = 'hosts: ["127.0.0.1"], networks: [127.0.0.0/8]'
const CALLBACKS = ['subscribe', 'unsubscribe']

async function opened(allow = ALLOWED): Promise<Desk> {
  const http = `token: ${TOKEN}, viewer_token: ${VIEWER}, tokens: { operates: { token: ${OPERATES}, accounts: [acme], role: operator } } }`
  return await Desk.open(`${http}\nruntime_subscriptions: { key: ${KEY}, allow: { ${allow} }`)
}

/** Takes what is signed with its secret. */
async function callback() {
  const heard: { secret: string; readonly types: string[]; url: string } = { secret: '', types: [], url: '' }
  const fetch = async (request: Request): Promise<Response> => {
    const body = await request.text()
    const event = await verify(request.headers, body, [heard.secret], { toleranceSeconds: Infinity })
    heard.types.push(event.type)
    return new Response(null, { status: 204 })
  }
  const server = await startHttpServer({ host: '127.0.0.1', port: 0, purpose: 'The callback', remedy: '', fetch })
  onTestFinished(async () => server[Symbol.asyncDispose]())
  heard.url = server.url
  return heard
}

test('callbacks are taken where the file names hosts, from who may act', async () => {
  const offered = async (desk: Desk, token: string): Promise<readonly string[]> =>
    (await toolNames(await connected(desk, token))).filter((name) => CALLBACKS.includes(name))
  const [desk, other] = [await opened(), await opened('networks: [127.0.0.0/8]')]
  expect(await offered(desk, TOKEN)).toEqual(CALLBACKS)
  expect(await offered(desk, OPERATES)).toEqual(CALLBACKS)
  expect(await offered(desk, VIEWER)).toEqual([])
  expect(await offered(other, TOKEN)).toEqual([])
})

test('an agent follows a shipment by a callback until it ends that', async () => {
  const [desk, heard] = [await opened(), await callback()]
  const client = await connected(desk, OPERATES)
  const keys = { name: 'agent', url: `${heard.url}/hook?key=0123456789abcdef`, events: ['shipment.*'] }
  const made = await called(desk, client, { name: 'subscribe', arguments: keys })
  expect(made.structured).toMatchObject({ name: 'agent', state: 'unverified', events: ['shipment.*'], where: null })
  heard.secret = textField(made.structured, 'secret') ?? ''
  expect(made.text).toContain(heard.secret)
  expect(made.text).toContain(new URL(heard.url).host)
  expect(made.all).not.toContain('0123456789abcdef')
  await ring(desk.store, [sampleEvent('evt_1')], ['agent'])
  await vi.waitFor(
    async () => {
      await desk.clock.advance(5_000)
      expect(heard.types).toEqual(['shipbell.test', 'shipment.status_changed'])
    },
    { timeout: 20_000, interval: 20 },
  )
  const ended = await called(desk, client, { name: 'unsubscribe', arguments: { name: 'agent' } })
  expect(ended.structured).toEqual({ name: 'agent', ended: true })
  expect((await called(desk, client, { name: 'unsubscribe', arguments: { name: 'agent' } })).isError).toBe(true)
  const by = { who: 'operates', subscription: 'agent' }
  expect(desk.logged('admin.acted')).toMatchObject([
    { action: 'subscribe', ...by },
    { action: 'unsubscribe', ...by },
  ])
  expect(desk.log).not.toContain(heard.secret)
})

const REFUSED = [
  [{ url: 'https://elsewhere.example/hook' }, 'url: `url` names the host elsewhere.example'],
  [{ events: ['nope.*'], where: 'a ==' }, 'events.0: '],
  [{ accounts: ['constructor'] }, 'accounts.0: '],
  [{ minshift: '12h' }, 'did you mean `min_shift`?'],
  [{ name: 'erp' }, 'A file of the configuration has a subscription erp'],
  [{ secret: 'whsec_x' }, 'unknown key'],
] as const

test('what an agent may not ask for is refused in a sentence, and nothing is made', async () => {
  const desk = await opened()
  const client = await connected(desk, OPERATES)
  const keys = { name: 'agent', url: 'http://127.0.0.1:9/hook', events: ['shipment.*'] }
  for (const [wrong, sentence] of REFUSED) {
    const { isError, text } = await called(desk, client, { name: 'subscribe', arguments: { ...keys, ...wrong } })
    expect([isError, text]).toEqual([true, expect.stringContaining(sentence)])
  }
  for (const name of ['erp', 'nobody'])
    expect(await called(desk, client, { name: 'unsubscribe', arguments: { name } })).toMatchObject({ isError: true })
  expect(desk.logged('admin.acted')).toEqual([])
})
