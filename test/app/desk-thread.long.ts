import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DeskThread } from '../../src/app/desk-thread/desk-thread.ts'
import { LiveConfig } from '../../src/config/live-config.ts'
import { requireConfig } from '../../src/config/load-config.ts'
import { startHttpServer } from '../../src/http-server.ts'
import { createLogger } from '../../src/log.ts'
import { createAdminApp } from '../../src/serve/admin-app.ts'
import type { Looking, PageReader } from '../../src/serve/admin-context.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { scratchFolder } from '../config/scratch.ts'
import { sampleDesk } from '../desk/sample-desk.ts'
import { ring, sampleEvent } from '../store/samples.ts'
import { SECRET } from '../support/loopback-receiver.ts'

const LOOPBACK = { host: '127.0.0.1', port: 0, purpose: 'The desk', remedy: 'none' } as const
const HOOK = `{ url: "https://erp.example/", secret: ${SECRET}, events: ["*"] }`

function text(subscriptions: string): string {
  return `accounts: { acme: { base_url: https://acme.example, api_key: key-of-acme, watch: { shipments: {} } } }
subscriptions:
${subscriptions}
storage: { path: shipbell.db }
http: { listen: "127.0.0.1:0", token: token-of-the-test }
`
}

/** A store with two events that `erp` has rows of, and the thread that serves it. */
async function opened(parts: { readonly entry?: URL } = {}) {
  const files = {
    'ops.liquid': 'Ops: {{ type }}',
    'shipbell.yaml':
      text(`  erp: { url: "https://erp.example/", secret: ${SECRET}, events: ["*"], where: data.to == "booked" }
  ops: { slack: { url: "https://hooks.slack.example/x" }, events: ["*"], template: ops.liquid }`),
    'more.yaml': text(`  late: ${HOOK}`),
  }
  const cwd = scratchFolder(files)
  const live = new LiveConfig(requireConfig('shipbell.yaml', { cwd, env: {} }))
  const store = openStore({ path: path.join(cwd, 'shipbell.db') })
  const lines: string[] = []
  const write = (line: string): void => void lines.push(line)
  const log = createLogger({ level: 'info', pretty: false, colour: false, secrets: () => live.secrets, write })
  const thread = new DeskThread({ live, log, readiness: ready, budgetLeft: () => 7, ...parts })
  onTestFinished(async () => {
    await thread[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  })
  await store.syncSubscriptions(live.config.subscriptions, 0)
  await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2')], ['erp', 'ops'])
  return { cwd, live, lines, store, thread }
}

async function ready() {
  return { ready: true, store: { ok: true, problem: null }, accounts: {} }
}

const ADMIN = { role: 'admin', name: 'http.token', scope: { kind: 'all' } as const } as const

function looking(path: string, changes: Partial<Looking> = {}): Looking {
  return {
    url: `http://127.0.0.1${path}`,
    accept: 'text/html',
    asker: ADMIN,
    notice: null,
    posted: null,
    kept: { zone: null, language: null, accepted: '' },
    lastVisit: null,
    simulatedAt: null,
    ...changes,
  }
}

async function look(thread: DeskThread, path: string, changes: Partial<Looking> = {}) {
  const found = await thread.look(looking(path, changes))
  if (found === null) throw new Error('the thread answered nothing')
  return { status: found.status, body: Buffer.from(found.body).toString() }
}

test('serves pages and lists as they are in the store at that moment', async () => {
  const { store, thread } = await opened()
  const events = async () => JSON.parse((await look(thread, '/api/v1/events')).body).items.length
  expect(await events()).toBe(2)
  await ring(store, [sampleEvent('evt_3')], [])
  expect(await events()).toBe(3)
  const system = await look(thread, '/system')
  expect([system.status, system.body.includes('running')]).toEqual([200, true])
  const notice = { tone: 'good', text: 'It was done just now.' } as const
  expect((await look(thread, '/deliveries', { notice })).body).toContain('It was done just now.')
  const kept = { zone: 'Asia/Tokyo', language: 'fr', accepted: 'de' }
  const french = (await look(thread, '/events', { kept })).body
  expect([french.includes('<html lang="fr">'), french.includes('Asia/Tokyo')]).toEqual([true, true])
  expect((await look(thread, '/records/nothing')).status).toBe(404)
  const refused = await look(thread, '/api/v1/events?cursor=none')
  expect([refused.status, JSON.parse(refused.body).status]).toEqual([422, 422])
})

test('knows filters and templates, and follows the configuration', async () => {
  const { cwd, lines, live, thread } = await opened()
  const tried = await look(thread, '/subscriptions/erp')
  expect(tried.body).toContain('It matched <strong>2</strong> of <strong>2</strong>')
  expect((await look(thread, '/subscriptions/ops?event=evt_1')).body).toContain('Ops: shipment.status_changed')
  live.replace(requireConfig('more.yaml', { cwd, env: {} }))
  expect((await look(thread, '/subscriptions/erp')).body).not.toContain('It matched')
  expect(lines).toEqual([])
})

test('shows no buttons to who may only look, and does nothing for who asks it to', async () => {
  const { store, thread } = await opened()
  const viewer = { role: 'viewer', name: 'http.viewer_token', scope: { kind: 'all' } as const } as const
  expect((await look(thread, '/subscriptions/erp')).body).toContain('Send test')
  expect((await look(thread, '/subscriptions/erp', { asker: viewer })).body).not.toContain('Send test')
  expect((await look(thread, '/deliveries/retry?subscription=erp')).body).toContain('2 deliveries will be sent again')
  expect((await look(thread, '/deliveries/retry?subscription=erp', { asker: viewer })).status).toBe(403)
  expect((await store.endpoints()).map(({ counts }) => counts.pending)).toEqual([2, 2])
})

test('answers what an assistant asks, as its token says', async () => {
  const { lines, store, thread } = await opened()
  const ask = async (message: object, changes: Partial<Looking> = {}) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
    const posted = { body, headers: { 'content-type': 'application/json' } }
    return JSON.parse((await look(thread, '/mcp', { posted, ...changes })).body).result
  }
  const list = { method: 'tools/list' }
  const all = (await ask(list)).tools.map(({ name }: { name: string }) => name)
  expect(all).toEqual(expect.arrayContaining(['find_shipments', 'retry_delivery']))
  const asker = { ...ADMIN, role: 'viewer' } as const
  expect((await ask(list, { asker })).tools).toHaveLength(all.length - 2)
  const changes = { name: 'list_changes', arguments: { since: '2026-01-01' } }
  expect((await ask({ method: 'tools/call', params: changes })).structuredContent.items).toHaveLength(1)
  // What acts is refused by a store that may only be read.
  const retry = { name: 'retry_delivery', arguments: { id: 'evt_1' } }
  expect((await ask({ method: 'tools/call', params: retry })).isError).toBe(true)
  expect((await store.endpoints()).map(({ counts }) => counts.pending)).toEqual([2, 2])
  expect(lines).toEqual([])
})

/** Serves as the thread does, but for one path: who asks for it kills it. */
const MORTAL = new URL('mortal-looks.ts', import.meta.url)

test('where it dies all who wait are told so, the next who asks starts another, and nothing else suffers', async () => {
  const { lines, store, thread } = await opened({ entry: MORTAL })
  const reader: PageReader = async (asked) => await thread.look(asked)
  const app = createAdminApp(sampleDesk({ reader }).context)
  await using server = await startHttpServer({ ...LOOPBACK, fetch: async (asked, peer) => app.fetch(asked, { peer }) })
  const ask = async (path: string): Promise<number> => (await fetch(`${server.url}${path}`)).status
  expect(await ask('/api/v1/events')).toBe(200)
  expect(await ask('/api/v1/events?die')).toBe(500)
  expect(await ask('/healthz')).toBe(200)
  await look(thread, '/deliveries')
  const waiting = [looking('/events?die'), looking('/deliveries')].map(async (asked) => await thread.look(asked))
  expect(await Promise.allSettled(waiting)).toMatchObject([
    { status: 'rejected', reason: { code: 'internal' } },
    { status: 'rejected', reason: { code: 'internal' } },
  ])
  await ring(store, [sampleEvent('evt_3')], ['erp'])
  const { body } = await look(thread, '/api/v1/events')
  expect(JSON.parse(body).items).toHaveLength(3)
  expect(await ask('/events')).toBe(200)
  const died = { msg: 'admin.thread_failed', error: 'Error: dead' }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([died, died])
})

test('who asks once it has ended makes the page without it', async () => {
  const { thread } = await opened()
  await look(thread, '/events')
  const last = thread.look(looking('/'))
  await thread[Symbol.asyncDispose]()
  await last
  expect(await thread.look(looking('/'))).toBeNull()
})
