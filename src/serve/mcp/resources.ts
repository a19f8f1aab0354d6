import {
  type McpServer,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { EVENT_CATALOGUE } from '../../model/event-catalogue.ts'
import type { JsonObject } from '../../model/json.ts'
import { docsPages, docsText } from './docs.ts'
import { asData } from './data-block.ts'
import type { ToolDesk } from './tool-desk.ts'
import type { Tool } from './tool.ts'
import { getOrder } from './tools/get-order.ts'
import { getShipment } from './tools/get-shipment.ts'

const SCHEMA = 'shipbell://schema/config'
const EVENTS = 'shipbell://events'
const DOCS = 'shipbell://docs/'
/** How many ids and names complete what was begun. */
const MOST = 20

/** What is read beside what tools find: how Shipbell is configured, what rings, the documentation; and records by their address. */
export function addResources(server: McpServer, desk: ToolDesk): void {
  const json = { mimeType: 'application/json' }
  const about = { ...json, title: 'The configuration', description: 'JSON Schema of the configuration file.' }
  server.registerResource('configuration-schema', SCHEMA, about, () =>
    contents(SCHEMA, json, JSON.stringify(desk.configSchema())),
  )
  const catalogue = { ...json, title: 'Events', description: 'Every type of event, and when it rings.' }
  server.registerResource('events', EVENTS, catalogue, () => contents(EVENTS, json, eventsText()))
  addDocs(server)
  addRecords(server, desk)
}

function eventsText(): string {
  return JSON.stringify(EVENT_CATALOGUE.map(({ family, resource, type, when }) => ({ type, family, resource, when })))
}

function addDocs(server: McpServer): void {
  const markdown = { mimeType: 'text/markdown' }
  const template = new ResourceTemplate(`${DOCS}{+path}`, {
    list: () => ({
      resources: docsPages().map(({ path, title }) => ({ uri: DOCS + path, name: path, title, ...markdown })),
    }),
    complete: {
      path: (begun) =>
        docsPages()
          .flatMap(({ path }) => (path.includes(begun) ? [path] : []))
          .slice(0, MOST),
    },
  })
  const about = { ...markdown, title: 'Documentation', description: 'A page of the documentation.' }
  server.registerResource('docs', template, about, ({ href }) => {
    const page = docsPages().find(({ path }) => DOCS + path === href)
    if (page === undefined) throw new ResourceNotFoundError(href)
    return contents(href, markdown, docsText(page.path))
  })
}

function addRecords(server: McpServer, desk: ToolDesk): void {
  const plain = { mimeType: 'text/plain' }
  const accounts = (begun: string): string[] =>
    desk
      .accounts()
      .flatMap(({ name }) => (name.startsWith(begun) ? [name] : []))
      .slice(0, MOST)
  const ids = (resource: 'shipment' | 'purchase_order') => async (begun: string, given?: Given) => {
    const account = given?.arguments?.['account']
    const asked = { resource, q: begun, limit: MOST, ...(account !== undefined && { account }) }
    return (await desk.store.recordPage(asked)).items.map(({ id }) => asData(id))
  }
  const shipments = new ResourceTemplate('shipbell://shipment/{account}/{id}', {
    list: undefined,
    complete: { account: accounts, id: ids('shipment') },
  })
  const shipment = {
    ...plain,
    title: 'A shipment',
    description: 'What get_shipment says of it, by its account and id.',
  }
  server.registerResource('shipment', shipments, shipment, async ({ href }, { account, id }) =>
    said(href, getShipment, { named: { account: text(account), id: text(id) }, desk }),
  )
  const orders = new ResourceTemplate('shipbell://order/{po_number}', {
    list: undefined,
    complete: { po_number: ids('purchase_order') },
  })
  const order = { ...plain, title: 'A purchase order', description: 'What get_order says of it, by its number.' }
  server.registerResource('order', orders, order, async ({ href }, { po_number }) =>
    said(href, getOrder, { named: { po_number: text(po_number) }, desk }),
  )
}

/** What else was filled in of a template that is being completed. */
interface Given {
  readonly arguments?: Readonly<Record<string, string>>
}

interface Asked {
  readonly named: JsonObject
  readonly desk: ToolDesk
}

/** A record as a tool says it. Throws where it is not there. */
async function said(href: string, tool: Tool, { desk, named }: Asked): Promise<ReadResourceResult> {
  const { content, isError } = await tool.call(named, desk)
  const [first] = content
  if (isError === true || first?.type !== 'text') throw new ResourceNotFoundError(href)
  return contents(href, { mimeType: 'text/plain' }, first.text)
}

function contents(uri: string, about: { readonly mimeType: string }, body: string): ReadResourceResult {
  return { contents: [{ uri, ...about, text: body }] }
}

/** One part of an address, as it was before it was written into one. */
function text(part: string | string[] | undefined): string {
  const [one = ''] = [part].flat()
  try {
    return decodeURIComponent(one)
  } catch {
    return one
  }
}
