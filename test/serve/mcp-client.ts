import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { field, isJsonArray, textField, type Json, type JsonObject } from '../../src/model/json.ts'
import type { Desk } from './desk.ts'

/** The official client, connected with a token. */
export async function connected(desk: Desk, token: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', desk.url), { requestInit }))
  return client
}

export async function toolNames(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name)
}

/** What a tool answers, while the clock of the desk goes on. */
export interface Called {
  readonly isError: boolean
  readonly text: string
  readonly structured: Json
  readonly all: string
}

/** Calls a tool. */
export async function called(
  desk: Desk,
  client: Client,
  call: { name: string; arguments: JsonObject },
): Promise<Called> {
  const result: Json = JSON.parse(JSON.stringify(await desk.during(client.callTool(call))))
  const content = field(result, 'content')
  const texts = isJsonArray(content) ? content.map((part) => textField(part, 'text') ?? '') : []
  return {
    isError: field(result, 'isError') === true,
    text: texts.join('\n'),
    structured: field(result, 'structuredContent') ?? null,
    all: JSON.stringify(result),
  }
}
