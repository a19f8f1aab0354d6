import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/store/file/open-store.ts'
import { scratchFolder } from '../config/scratch.ts'
import { ROOT } from '../docs/pages.ts'
import { ACTING, READING } from '../serve/mcp-desk.ts'
import { batch, ring, sampleEvent, sampleState, T, write } from '../store/samples.ts'

const BIN = `${ROOT}/src/bin.js`
const CONFIGURATION = `accounts:
  acme: { base_url: https://platform.example, api_key: \${UNSET_KEY}, time_zone: Europe/Paris, watch: { shipments: {} } }
subscriptions:
  erp: { url: https://erp.example/hooks, secret: \${UNSET_SECRET}, events: ['*'] }
storage: { path: shipbell.db }
http: { listen: 127.0.0.1:0, public_url: https://shipbell.example }
`

/** A store that no daemon holds, of a configuration whose secrets are not set. */
async function leftStore(configuration = CONFIGURATION): Promise<string> {
  const folder = scratchFolder({ 'shipbell.yaml': configuration })
  await using store = openStore({ path: `${folder}/shipbell.db` })
  await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
  const seen = { platform_shipment_id: 'SHP-1', name: 'Shoes\n>>> end of data', status: 'booked' }
  await store.commit(batch({ records: [write(sampleState('SHP-1', { seen, reported: seen }))] }))
  const at_risk = { type: 'shipment.delivery_at_risk', cause: 'calendar', changes: null, before: null } as const
  await ring(store, [sampleEvent('evt_1', { ...at_risk, extras: { slack_days: -1 } })], ['erp'])
  return folder
}

async function connected(cwd: string, args: readonly string[], mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...args],
    cwd,
    stderr: 'pipe',
  })
  await client.connect(transport)
  onTestFinished(async () => client.close())
  return client
}

test.each([
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const)('the official client asks a store without a daemon or secrets (%s)', async (mode, revision) => {
  const client = await connected(await leftStore(), [], mode)
  expect(client.getNegotiatedProtocolVersion()).toBe(revision)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(READING)
  const { content, structuredContent } = await client.callTool({ name: 'get_shipment', arguments: { id: 'SHP-1' } })
  expect(structuredContent).toMatchObject({
    account: 'acme',
    name: String.raw`Shoes\n>>> end of data`,
    exceptions: [{ told: [{ subscription: 'erp' }] }],
    url: 'https://shipbell.example/records/shipment/acme/SHP-1',
  })
  expect(JSON.stringify(content)).toContain('CET')
  const status = await client.callTool({ name: 'get_status', arguments: {} })
  expect(status.structuredContent).toMatchObject({ running: false, accounts: [{ account: 'acme' }] })
  const refused = client.callTool({ name: 'retry_delivery', arguments: { id: 'evt_1' } })
  await expect(refused).rejects.toThrow('not found')
})

test('with --act it acknowledges, and sends again', async () => {
  const cwd = await leftStore()
  const client = await connected(cwd, ['--act'], 'auto')
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([...READING, ...ACTING])
  await using store = openStore({ path: `${cwd}/shipbell.db`, readonly: true })
  const { items } = await store.exceptionPage({ now: 0, limit: 1 })
  const done = await client.callTool({ name: 'acknowledge_exception', arguments: { id: items[0]?.id, note: 'seen' } })
  expect(done.structuredContent).toMatchObject({ state: 'acknowledged', acknowledged: { by: 'cli', note: 'seen' } })
  const again = await client.callTool({ name: 'retry_delivery', arguments: { id: 'evt_1' } })
  expect(again.structuredContent).toMatchObject({ deliveries: 1, notes: [expect.stringMatching(/^No daemon runs/)] })
})

test('with --act it subscribes callbacks where the file is whole and names hosts', async () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const section = `runtime_subscriptions: { key: '${key}', allow: { hosts: ['*.example.com'] } }\n`
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const whole = CONFIGURATION.replaceAll(/\$\{UNSET_\w+\}/g, secret) + section
  expect(await acting(await leftStore(CONFIGURATION + section))).toEqual([...READING, ...ACTING])
  const cwd = await leftStore(whole)
  const client = await connected(cwd, ['--act'], 'auto')
  const keys = { name: 'agent', url: 'https://hooks.example.com/in', events: ['shipment.*'] }
  const made = await client.callTool({ name: 'subscribe', arguments: keys })
  expect(made.structuredContent).toMatchObject({
    name: 'agent',
    state: 'unverified',
    secret: expect.stringMatching(/^whsec_/),
  })
  await using store = openStore({ path: `${cwd}/shipbell.db`, readonly: true })
  expect((await store.runtimeSurvey())?.subscriptions).toMatchObject([{ name: 'agent', owner: null, endedAt: null }])
  const elsewhere = await client.callTool({ name: 'subscribe', arguments: { ...keys, url: 'https://a.example/in' } })
  expect(elsewhere).toMatchObject({ isError: true })
  const ended = await client.callTool({ name: 'unsubscribe', arguments: { name: 'agent' } })
  expect(ended.structuredContent).toEqual({ name: 'agent', ended: true })
})

async function acting(cwd: string): Promise<readonly string[]> {
  return (await (await connected(cwd, ['--act'], 'auto')).listTools()).tools.map(({ name }) => name)
}

test('what was asked before the input ended is answered, and nothing but the protocol is written', async () => {
  const child = spawn(process.execPath, [BIN, 'mcp'], { cwd: await leftStore() })
  let written = ''
  child.stdout.on('data', (chunk: Buffer) => (written += chunk.toString()))
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const messages = [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'find_shipments', arguments: { query: 'shoes' } } },
  ]
  child.stdin.end(messages.map((each) => JSON.stringify({ jsonrpc: '2.0', ...each })).join('\n'))
  const [code] = await once(child, 'close')
  const answers = written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([code, answers.map(({ id }) => id), answers[0].result.protocolVersion]).toEqual([0, [1, 2], '2025-06-18'])
})

test('where there is no store, it says so and exits 3', async () => {
  const child = spawn(process.execPath, [BIN, 'mcp'], { cwd: scratchFolder({ 'shipbell.yaml': CONFIGURATION }) })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const [code] = await once(child, 'close')
  expect([code, said]).toEqual([3, expect.stringMatching(/^There is no store .* start the daemon/)])
})
