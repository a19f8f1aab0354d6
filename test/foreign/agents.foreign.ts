import { createMCPClient, type MCPClient } from '@ai-sdk/mcp'
import { expect, onTestFinished, test } from 'vitest'
import { field, isJsonArray, textField, type Json, type JsonObject } from '../../src/model/json.ts'
import { TOKEN, VIEWER, type Desk } from '../serve/desk.ts'
import { MARK, sharedDesk, TOKENS } from '../serve/shared-desk.ts'
import { batch, sampleState, write } from '../store/samples.ts'

/** A client of another vendor, which shares no code with the official one. */
async function foreignClient(desk: Desk, headers: Readonly<Record<string, string>>): Promise<MCPClient> {
  const client = await createMCPClient({ transport: { type: 'http', url: `${desk.url}/mcp`, headers: { ...headers } } })
  onTestFinished(async () => await client.close())
  return client
}

function showing(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` }
}

async function namesOf(client: MCPClient): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name)
}

/** Calls a tool as models do. */
async function call(client: MCPClient, name: string, args: JsonObject): Promise<Json> {
  const tools = await client.tools()
  const result: unknown = await tools[name]?.execute(args, { toolCallId: '1', messages: [], context: undefined })
  return JSON.parse(JSON.stringify(result))
}

const ACTING = new Set(['acknowledge_exception', 'retry_delivery', 'subscribe', 'unsubscribe'])
const MANY = 60

test('a client of another vendor lists, calls and pages what its token lets it', async () => {
  const desk = await sharedDesk()
  const records = Array.from({ length: MANY }, (_, nth) => write(sampleState(`SHP-${nth}`)))
  await desk.store.commit({ ...batch({ records }), account: 'acme' })
  const looks = await foreignClient(desk, showing(TOKENS.looks))
  expect(looks.serverInfo).toMatchObject({ name: 'shipbell' })
  const found: string[] = []
  for (let cursor: string | undefined; ;) {
    const answer = await call(looks, 'find_shipments', { query: '', ...(cursor !== undefined && { cursor }) })
    expect(JSON.stringify(answer)).not.toContain(MARK)
    const structured = field(answer, 'structuredContent')
    const items = field(structured, 'items')
    found.push(...(isJsonArray(items) ? items.map((each) => textField(each, 'id') ?? '') : []))
    cursor = textField(structured, 'next') ?? undefined
    if (cursor === undefined) break
  }
  expect(new Set(found).size).toBe(found.length)
  expect(found).toEqual(expect.arrayContaining(records.map(({ state }) => state.id)))
  const whole = await foreignClient(desk, showing(TOKEN))
  expect(JSON.stringify(await call(whole, 'find_shipments', { query: MARK }))).toContain(MARK)
  expect(await call(looks, 'find_shipments', { query: 'x', colour: 'red' })).toMatchObject({ isError: true })
})

test('a client of another vendor is offered and refused what its token says', async () => {
  const desk = await sharedDesk()
  for (const token of [VIEWER, TOKENS.looks]) {
    const names = await namesOf(await foreignClient(desk, showing(token)))
    expect(names.filter((name) => ACTING.has(name))).toEqual([])
  }
  const refused: readonly (readonly [status: number, headers: Readonly<Record<string, string>>])[] = [
    [401, {}],
    [401, showing('another-token-0123456789')],
    [404, showing(TOKENS.erp_only)],
    [403, { ...showing(TOKEN), origin: 'https://elsewhere.example' }],
  ]
  for (const [status, headers] of refused)
    await expect(foreignClient(desk, headers)).rejects.toThrow(new RegExp(`HTTP ${status}`))
})
