import { field, isJsonArray, textField, type Json, type JsonObject } from '../../src/model/json.ts'
import type { Answer, Desk } from './desk.ts'
import { idsOf } from './shared-desk.ts'

export const READING = [
  'find_shipments',
  'get_shipment',
  'list_changes',
  'list_exceptions',
  'list_invoices_due',
  'get_order',
  'explain_event',
  'get_status',
] as const
export const ACTING = ['acknowledge_exception', 'retry_delivery'] as const

/** What this desk does not offer: its file names no hosts. */
export const UNOFFERED: ReadonlySet<string> = new Set(['subscribe', 'unsubscribe'])

/** One message to `/mcp`, as a client of an older revision sends it. */
export async function post(desk: Desk, token: string | undefined, message: JsonObject): Promise<Answer> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
  return await desk.during(desk.ask('/mcp', { method: 'POST', headers, body, ...(token !== undefined && { token }) }))
}

/** The names of the tools that a token is shown. */
export async function toolsOf(desk: Desk, token: string): Promise<readonly (string | null)[]> {
  const { json } = await post(desk, token, { method: 'tools/list' })
  const tools = field(field(json, 'result'), 'tools')
  return isJsonArray(tools) ? tools.map((tool) => textField(tool, 'name')) : []
}

export interface Calling {
  readonly desk: Desk
  readonly token: string
}

export interface Called {
  readonly status: number
  readonly isError: boolean
  readonly text: string
  readonly structured: Json | undefined
  /** The whole answer, as it came. */
  readonly whole: string
}

/** What comes of a tool; an error of the protocol counts as one of the tool. */
export async function call({ desk, token }: Calling, name: string, args: JsonObject = {}): Promise<Called> {
  const answer = await post(desk, token, { method: 'tools/call', params: { name, arguments: args } })
  const [result, error] = [field(answer.json, 'result'), field(answer.json, 'error')]
  const content = field(result, 'content')
  return {
    status: answer.status,
    isError: error !== undefined || field(result, 'isError') === true,
    text: (isJsonArray(content) ? textField(content[0], 'text') : textField(error, 'message')) ?? '',
    structured: field(result, 'structuredContent'),
    whole: answer.text,
  }
}

export interface ToolOwner {
  readonly mark: string
  readonly account: string
  /** An exception of the owner; left out: one that nobody has. */
  readonly exception?: string
}

/** What each tool is asked with, of one owner. */
export function argumentsFor({ account, exception = 'exc_no', mark }: ToolOwner): Readonly<Record<string, JsonObject>> {
  const ids = idsOf(mark)
  return {
    find_shipments: { query: mark },
    get_shipment: { id: ids.shipment, account },
    list_changes: { since: '2026-01-01' },
    list_exceptions: { account },
    list_invoices_due: { within: 'any' },
    get_order: { po_number: `${mark}-po`, account },
    explain_event: { id: ids.risk },
    get_status: {},
    acknowledge_exception: { id: exception, note: 'seen to' },
    retry_delivery: { id: ids.risk },
    subscribe: { name: `${mark}-callback`, url: 'https://192.0.9.1/hooks', events: ['shipment.*'] },
    unsubscribe: { name: `${mark}-callback` },
  }
}
