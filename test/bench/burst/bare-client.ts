import { createHmac, createSecretKey } from 'node:crypto'
import { Pool } from 'undici'
import { systemClock } from '../../../src/clock.ts'

/** The least that the same work takes, in a process of its own: signed POSTs on 64 sockets, or a pass that parses its pages. */
export type BareMessage =
  | { readonly kind: 'posts'; readonly amount: number; readonly bytes: number }
  | { readonly kind: 'pass'; readonly shipments: number }

export interface BareDone {
  readonly wallMs: number
}

const SOCKETS = 64
const PAGE = 100
const [url = ''] = process.argv.slice(2)
const pool = new Pool(url, { connections: SOCKETS })
const pages = new Pool(url, { connections: 1 })
const key = createSecretKey(Buffer.from('a benchmark secret of 32 bytes !'))
let sent = 0

async function post(body: string): Promise<void> {
  sent += 1
  const id = `bare_${sent}`
  const timestamp = String(Math.floor(systemClock.now() / 1_000))
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  const response = await pool.request({ path: '/', method: 'POST', headers, body })
  await response.body.dump()
}

async function posts(amount: number, bytes: number): Promise<void> {
  const body = JSON.stringify({ text: 'x'.repeat(bytes) })
  let left = amount
  const worker = async (): Promise<void> => {
    for (; left > 0; await post(body)) left -= 1
  }
  await Promise.all(Array.from({ length: SOCKETS }, worker))
}

async function pass(shipments: number): Promise<void> {
  for (let skip = 0; skip <= shipments; skip += PAGE) {
    const { body } = await pages.request({ path: `/bare/v1/shipments?skip=${skip}&take=${PAGE}`, method: 'GET' })
    JSON.parse(await body.text())
  }
}

process.on('message', (message: BareMessage) => {
  const start = performance.now()
  const done = message.kind === 'posts' ? posts(message.amount, message.bytes) : pass(message.shipments)
  void done.then(() => process.send?.({ wallMs: performance.now() - start } satisfies BareDone))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
