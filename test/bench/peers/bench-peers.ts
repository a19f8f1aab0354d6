import { fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { quantile } from '../measure.ts'
import { nodeRedSide } from './node-red-side.ts'
import type { PeersMessage, PeersSeen } from './peers-peer.ts'
import { shipbellSide } from './shipbell-side.ts'
import { type Arena, type Missing, type Round, SHIPMENTS, type Side } from './side.ts'
import { urlwatchSide } from './urlwatch-side.ts'

const LOOK_MS = 20
const SIDES = [shipbellSide, nodeRedSide, urlwatchSide]

/** What others take for the same work: 5,000 shipments that all changed are read, and each is told of. Linux only. */
export async function benchPeers(): Promise<string> {
  const lines: string[] = []
  for (const open of SIDES) lines.push(await measured(open))
  const load = loadavg()[0]?.toFixed(1)
  return [`peers: ${SHIPMENTS} shipments that all change, medians, load ${load}:`, ...lines].join('\n')
}

/** Each alone, with a platform of its own. */
async function measured(open: (arena: Arena) => Promise<Side | Missing>): Promise<string> {
  using arena = await openArena()
  const side = await open(arena)
  if ('missing' in side) return `  ${side.missing}`
  await using running = side
  const rounds: Round[] = []
  const skipped = running.isNewEachRound ? 0 : 1
  for (let round = 0; round < running.rounds + skipped; round += 1) rounds.push(await running.round(arena))
  const counted = rounds.slice(skipped)
  const cpuMs = quantile(
    counted.map((each) => each.cpuMs),
    0.5,
  )
  const rates = counted.map(({ wallMs }) => (SHIPMENTS * 1_000) / wallMs)
  const perSecond = quantile(rates, 0.5).toFixed(0)
  return `  ${running.name}, ${counted.length} rounds: ${cpuMs.toFixed(0)} ms CPU, ${((1_000 * cpuMs) / SHIPMENTS).toFixed(0)} µs for each, ${perSecond}/s`
}

async function openArena(): Promise<Arena> {
  const child = fork(fileURLToPath(new URL('./peers-peer.ts', import.meta.url)), [String(SHIPMENTS)])
  const [address]: { port: number }[] = await once(child, 'message')
  const tell = async (message: PeersMessage): Promise<PeersSeen> => {
    child.send(message)
    const [seen]: PeersSeen[] = await once(child, 'message')
    if (seen === undefined) throw new Error('the platform did not say what came')
    return seen
  }
  return {
    url: `http://127.0.0.1:${address?.port}`,
    change: async () => void (await tell('change')),
    sees: async (fits) => {
      for (;;) {
        const seen = await tell('seen')
        if (fits(seen)) return seen
        await delay(LOOK_MS)
      }
    },
    [Symbol.dispose]: () => child.disconnect(),
  }
}
