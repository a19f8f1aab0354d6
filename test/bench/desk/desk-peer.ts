import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { field, type Json, type JsonObject, textField } from '../../../src/model/json.ts'
import { paperWorld } from '../footprint/paper-world.ts'
import { worldShipment } from '../world-shipment.ts'
import { accountOf, BUSY } from './desk-size.ts'

/**
 * The platform of all accounts and the receiver of what is told of them: one process, so that one clock says how long that took.
 * Under `/busy` a page changes at each request while that is switched on; `/constant?size=N` is a bare answer of that size.
 */
export type PeerMessage = 'latencies' | 'change' | 'rest'

const PAGE = 100
const BUSY_SHIPMENTS = 100
const CHANGES = 10
const [count = 0, live = 0, now = 0] = process.argv.slice(2).map(Number)
const world = paperWorld({ shipments: count, live, now })
const numbers = new Map(world.ids.map((id, n) => [id, n]))
const byAccount = Map.groupBy(numbers.values(), (n) => accountOf(n))
const busy = Array.from({ length: BUSY_SHIPMENTS }, (_, n) => worldShipment(n))
const answeredAt = new Map<string, number>()
let latencies: number[] = []
let isChanging = false
let turns = 0

function busyPage(): readonly JsonObject[] {
  if (!isChanging) return busy
  turns += 1
  for (let change = 0; change < CHANGES; change += 1) {
    const place = (turns * CHANGES + change) % BUSY_SHIPMENTS
    busy[place] = { ...busy[place], specific_instructions: `change ${turns}` }
  }
  return busy
}

function invoice(n: number): JsonObject {
  const shipment = world.ids[n] ?? ''
  return {
    reference: `INV-${shipment}`,
    number: `F${n}`,
    platform_shipment_id: shipment,
    type: 'invoice',
    status: ['available', 'due', 'paid', 'litigious'][n % 4] ?? null,
    sent_date: '2026-08-01T08:00:00+02:00',
    due_date: `2026-10-${String(1 + (n % 28)).padStart(2, '0')}`,
    lines: ['Ocean freight', 'Customs', 'Haulage'].map((description, line) => ({
      category: 'freight',
      description,
      price: { amount: 1_000 * (line + 1) + (n % 977), currency: 'EUR' },
      quantity: { value: 1, unit: 'unit' },
      unit_rate: { amount: 1_000 * (line + 1) + (n % 977), currency: 'EUR' },
      vatRate: 0,
    })),
    usd_to_eur_rate: 1.08,
  }
}

/** null: there is no such thing. */
function read(account: string, what: string, skip: number): Json {
  if (account === BUSY) return what === 'shipments' && skip === 0 ? busyPage() : []
  const [kind, id] = what.split('/')
  const own = byAccount.get(accountOf(numbers.get(id ?? '') ?? -1)) ?? []
  const n = numbers.get(id ?? '') ?? null
  if (kind === 'tracking') return n === null || !own.includes(n) ? null : world.tracking(n)
  if (id !== undefined) return n === null ? null : world.shipment(n)
  const page = ([...byAccount].find(([name]) => name === account)?.[1] ?? []).slice(skip, skip + PAGE)
  if (kind === 'shipments') return page.map((each) => world.shipment(each))
  return kind === 'invoices' ? page.map(invoice) : []
}

function received(body: Json, at: number): void {
  const change = textField(field(field(body, 'data'), 'object'), 'specific_instructions') ?? ''
  const since = answeredAt.get(change)
  if (since !== undefined) latencies.push(at - since)
}

function answer(request: IncomingMessage, response: ServerResponse, chunks: readonly Buffer[]): void {
  const at = performance.now()
  if (request.method === 'POST') {
    response.writeHead(204).end()
    received(JSON.parse(Buffer.concat(chunks).toString()), at)
    return
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/constant') {
    send(response, Buffer.alloc(Number(searchParams.get('size')), 'x'))
    return
  }
  const [, account = '', , ...what] = pathname.split('/')
  const found = read(account, what.join('/'), Number(searchParams.get('skip') ?? 0))
  if (found === null) {
    response.writeHead(404).end()
    return
  }
  if (account === BUSY && isChanging) answeredAt.set(`change ${turns}`, performance.now())
  send(response, Buffer.from(JSON.stringify(found)))
}

function send(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => answer(request, response, chunks))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('message', (message: PeerMessage) => {
  if (message !== 'latencies') isChanging = message === 'change'
  process.send?.(latencies)
  latencies = []
})
process.on('disconnect', () => process.exit())
