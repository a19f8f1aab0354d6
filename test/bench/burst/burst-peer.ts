import { createServer, type ServerResponse } from 'node:http'
import { ChangingShipments } from './changing-shipments.ts'

/**
 * A platform whose pages wait for a round to begin, and the receiver of what is told of them, in a process of its own. So a
 * change is shown by one pass and no other. `answers` says whether the receiver answers, or keeps everybody waiting.
 */
export type BurstMessage = 'all' | 'tenth' | 'open' | 'hold' | 'answer' | 'seen'

export interface BurstSeen {
  /** Of this round: pages that were asked for, each once. */
  readonly pages: number
  /** Different events that came to the receiver since the round began. */
  readonly events: number
  /** Those beside them. */
  readonly repeated: number
  /** When the first page of the round was answered, or the receiver began to answer, and the last event came, in milliseconds of this process's clock. */
  readonly firstAt: number
  readonly lastAt: number
  /** Bytes of the last event. */
  readonly bytes: number
}

const PAGE = 100
const [count = 0] = process.argv.slice(2).map(Number)
const shipments = new ChangingShipments(count)
let pages = new Map<number, Buffer>()
let isOpen = false
let isAnswering = true
let waiting: (() => void)[] = []
let unanswered: ServerResponse[] = []
let asked = new Set<number>()
let events = new Set<string>()
let repeated = 0
let bytes = 0
let firstAt = 0
let lastAt = 0

function render(): void {
  pages = new Map()
  for (let skip = 0; skip < count; skip += PAGE) {
    pages.set(skip, Buffer.from(JSON.stringify(shipments.page(skip, PAGE))))
  }
}

/** What was asked for before the round began is answered in it; what is asked for once all pages were, waits for the next. */
function open(): void {
  asked = new Set()
  events = new Set()
  repeated = 0
  isOpen = true
  for (const answer of waiting) answer()
  waiting = []
}

function answerAll(): void {
  isAnswering = true
  firstAt = performance.now()
  for (const response of unanswered) response.writeHead(204).end()
  unanswered = []
}

function receive(id: string, size: number, response: ServerResponse): void {
  if (events.has(id)) repeated += 1
  events.add(id)
  bytes = size
  lastAt = performance.now()
  if (isAnswering) response.writeHead(204).end()
  else unanswered.push(response)
}

function show(skip: number, response: ServerResponse): void {
  if (asked.size === 0) firstAt = performance.now()
  if (skip < count) asked.add(skip)
  send(skip, response)
}

function send(skip: number, response: ServerResponse): void {
  const page = pages.get(skip) ?? Buffer.from('[]')
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': page.length }).end(page)
}

function obey(message: BurstMessage): void {
  switch (message) {
    case 'all':
      shipments.changeAll()
      return render()
    case 'tenth':
      shipments.changeTenth()
      return render()
    case 'open':
      return open()
    case 'hold':
      isAnswering = false
      return
    case 'answer':
      return answerAll()
    case 'seen':
      return
    default:
      message satisfies never
  }
}

render()
const server = createServer((request, response) => {
  if (request.method === 'POST') {
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    request.on('end', () => receive(String(request.headers['webhook-id']), size, response))
    return
  }
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const skip = Number(searchParams.get('skip'))
  if (pathname.startsWith('/bare/')) send(skip, response)
  else if (isOpen && !(skip < count && asked.size === pages.size)) show(skip, response)
  else waiting.push(() => show(skip, response))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('message', (message: BurstMessage) => {
  obey(message)
  process.send?.({ pages: asked.size, events: events.size, repeated, firstAt, lastAt, bytes } satisfies BurstSeen)
})
process.on('disconnect', () => process.exit())
