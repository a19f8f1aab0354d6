import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { systemClock } from '../../../src/clock.ts'
import { openChannel } from '../../../src/deliver/channels/channel-kinds.ts'
import type { Channel, ChannelContext } from '../../../src/deliver/channels/channel.ts'
import { RenderedBodies } from '../../../src/deliver/rendered-bodies.ts'
import { createPlatformClient } from '../../../src/platform/client.ts'
import { sampleBatch } from '../../deliver/sample-event.ts'
import { webhookChannel } from '../../support/webhook-channel.ts'
import type { PeerAddress } from './connection-peer.ts'
import { PEOPLES_CHANNEL } from '../../deliver/channels/peoples-channel.ts'

/** Of each kind. */
const CONNECTIONS = Number(process.env.SHIPBELL_BENCH_CONNECTIONS ?? 20_000)
const SAMPLES = 20
/** Of the samples: what is loaded and compiled for the first connections is no leak. */
const WARM_UP = 5
const AT_ONCE = 8
const NEVER = new AbortController().signal
const CONTEXT: ChannelContext = {
  clock: systemClock,
  version: '0',
  allowNetworks: ['127.0.0.0/8'],
  secrets: () => [],
  bodies: new RenderedBodies(),
}

/** Makes one connection, which ends with the exchange on it. */
type Connect = () => Promise<unknown>

interface Kind extends AsyncDisposable {
  readonly name: string
  readonly connect: Connect
}

/** What stays in memory of connections that have ended, of every kind that the program makes. Memory after a full collection. */
export async function benchConnections(): Promise<string> {
  const peer = fork(fileURLToPath(new URL('connection-peer.ts', import.meta.url)))
  try {
    const [address]: PeerAddress[] = await once(peer, 'message')
    if (address === undefined) throw new Error('the peer did not say where it listens')
    const lines: string[] = []
    for (const make of KINDS) {
      await using kind = make(address)
      lines.push(await measured(kind))
    }
    return [`connections, ${CONNECTIONS} of each kind, growth per 1,000:`, ...lines].join('\n  ')
  } finally {
    peer.disconnect()
  }
}

const KINDS: readonly ((peer: PeerAddress) => Kind)[] = [
  ({ http }) => sending('closed by the endpoint', webhook(`http://127.0.0.1:${http}`), 'delivered'),
  ({ nobody }) => sending('refused', webhook(`http://127.0.0.1:${nobody}`), 'failed'),
  ({ https, authority }) => sending('TLS', webhook(`https://127.0.0.1:${https}`, authority), 'delivered'),
  ({ https }) => sending('TLS, certificate refused', webhook(`https://127.0.0.1:${https}`), 'failed'),
  ({ smtp }) => sending('mail, closed by the server', mail(smtp), 'failed'),
  ({ nobody }) => sending('mail, refused', mail(nobody), 'failed'),
  ({ http }) => reading('closed by the platform', http, 'ok'),
  ({ nobody }) => reading('refused by the platform', nobody, 'unreachable'),
]

function sending(name: string, channel: Channel, expected: string): Kind {
  const connect = async (): Promise<void> => {
    const outcome = await channel.send(sampleBatch(), NEVER)
    if (outcome.kind !== expected) throw new Error(`${name}: ${JSON.stringify(outcome)}`)
  }
  return { name, connect, [Symbol.asyncDispose]: async () => await channel[Symbol.asyncDispose]() }
}

function reading(name: string, port: number, expected: string): Kind {
  const client = createPlatformClient({
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: 'bench',
    timeoutMs: 15_000,
    concurrency: AT_ONCE,
    userAgent: 'shipbell/bench',
    clock: systemClock,
  })
  const connect = async (): Promise<void> => {
    const outcome = await client.list('shipment', { skip: 0, take: 100, shipmentIdField: null })
    if (outcome.kind !== expected) throw new Error(`${name}: ${JSON.stringify(outcome)}`)
  }
  return { name, connect, [Symbol.asyncDispose]: async () => await client[Symbol.asyncDispose]() }
}

function webhook(url: string, authority?: string): Channel {
  const tls = authority === undefined ? null : { ca: authority, cert: null, key: null }
  return openChannel(webhookChannel({ url, tls, secrets: [], concurrency: AT_ONCE }), CONTEXT)
}

function mail(port: number): Channel {
  const about = { to: ['ap@example.com'], from: 'shipbell@example.com', digest: null, ...PEOPLES_CHANNEL }
  const server = `smtp://127.0.0.1:${port}`
  return openChannel({ kind: 'email', ...about, server, hidden: [], timeoutMs: 15_000, concurrency: AT_ONCE }, CONTEXT)
}

interface Sample {
  readonly heapKb: number
  readonly residentKb: number
}

async function measured({ name, connect }: Kind): Promise<string> {
  const each = Math.ceil(CONNECTIONS / SAMPLES / AT_ONCE)
  const lane = async (): Promise<void> => {
    for (let made = 0; made < each; made += 1) await connect()
  }
  const samples: Sample[] = []
  const handlesBefore = process.getActiveResourcesInfo().length
  const startedAt = performance.now()
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    samples.push(await memory())
  }
  const seconds = (performance.now() - startedAt) / 1_000
  const handles = process.getActiveResourcesInfo().length - handlesBefore
  const counted = samples.slice(WARM_UP)
  const perThousand = (values: readonly number[]): string => {
    const kb = (slope(values) * 1_000) / (each * AT_ONCE)
    return `${kb >= 0 ? '+' : '−'}${Math.abs(kb).toFixed(1)} kB`
  }
  return (
    `${name}: heap ${perThousand(counted.map(({ heapKb }) => heapKb))}, ` +
    `resident ${perThousand(counted.map(({ residentKb }) => residentKb))}, ` +
    `handles ${handles >= 0 ? '+' : '−'}${Math.abs(handles)} (${Math.round(CONNECTIONS / seconds)} a second)`
  )
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** Twice: what finalizers free is gone after the second. */
async function memory(): Promise<Sample> {
  for (let turn = 0; turn < 2; turn += 1) {
    await systemClock.sleep(50)
    collect()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heapKb: (heapUsed + external) / 1_024, residentKb: rss / 1_024 }
}

/** Least squares: growth from one value to the next. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const rise = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0)
  return rise / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
}
