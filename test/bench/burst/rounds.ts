import { setTimeout as delay } from 'node:timers/promises'
import { quantile } from '../measure.ts'
import { cpuMsAtRest, cpuMsOf } from '../process-cpu.ts'
import { type BareClient, type BurstPeer, startBareClient, startBurstPeer } from '../start-peer.ts'
import type { BareMessage } from './bare-client.ts'
import { type BurstConfig, BurstDaemon, type Spent } from './burst-daemon.ts'
import type { BurstSeen } from './burst-peer.ts'

const LOOK_MS = 20
export const PAGE = 100

/** The daemon, its platform and the bare side of one bench. */
export class Arena implements AsyncDisposable {
  readonly peer: BurstPeer
  readonly #bare: BareClient
  readonly #daemon: BurstDaemon

  private constructor(peer: BurstPeer, bare: BareClient, daemon: BurstDaemon) {
    this.peer = peer
    this.#bare = bare
    this.#daemon = daemon
  }

  /** The daemon has learnt the shipments. */
  static async open(config: Omit<BurstConfig, 'url' | 'isProfiled'>): Promise<Arena> {
    using opening = new DisposableStack()
    const peer = opening.use(await startBurstPeer(config.shipments))
    const bare = opening.use(await startBareClient(peer.url))
    const isProfiled = process.argv.includes('--profile')
    const arena = new Arena(peer, bare, new BurstDaemon({ ...config, url: peer.url, isProfiled }))
    opening.move()
    await peer.tell('open')
    await arena.sees(({ pages }) => pages >= config.shipments / PAGE)
    await arena.#daemon.atRest()
    return arena
  }

  /** Waits until the platform and the receiver have seen that much. */
  async sees(enough: (seen: BurstSeen) => boolean): Promise<BurstSeen> {
    for (;;) {
      const seen = await this.peer.tell('seen')
      if (enough(seen)) return seen
      await delay(LOOK_MS)
    }
  }

  async rest(): Promise<void> {
    await this.#daemon.atRest()
  }

  async spends(work: () => Promise<void>): Promise<Spent> {
    return this.#daemon.spends(work)
  }

  async bare(message: BareMessage): Promise<{ readonly cpuMs: number; readonly wallMs: number }> {
    const before = cpuMsOf(this.#bare.pid)
    const { wallMs } = await this.#bare.does(message)
    return { cpuMs: (await cpuMsAtRest(this.#bare.pid)) - before, wallMs }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#daemon[Symbol.asyncDispose]()
    this.#bare[Symbol.dispose]()
    this.peer[Symbol.dispose]()
  }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Microseconds of each stage for one of `amount`, in the mean of the rounds, and what they sum up to; '' where nothing was profiled. */
export function stageTable(spent: readonly Spent[], amount: number): string {
  const of = (total: (each: Spent) => number): number =>
    (spent.reduce((sum, each) => sum + total(each), 0) * 1_000) / spent.length / amount
  const names = new Set(spent.flatMap(({ stages }) => [...stages.keys()]))
  if (names.size === 0) return ''
  const rows = [...names].map((name) => [name, of((each) => (each.stages.get(name) ?? 0) * share(each))] as const)
  const others = of(({ cpuMs, threadMs }) => cpuMs - threadMs)
  const sorted = [...rows.toSorted(([, one], [, other]) => other - one), ['other threads', others] as const]
  const all = ['all', of(({ cpuMs }) => cpuMs)] as const
  return [...sorted, all].map(([name, us]) => `\n${us.toFixed(1).padStart(8)} µs  ${name}`).join('')
}

/** A sample is of the clock: on a busy machine the thread had less of the processor than the samples of it say. */
function share({ stages, threadMs }: Spent): number {
  return threadMs / [...stages.values()].reduce((sum, ms) => sum + ms, 0)
}

/** What it took to deliver all that one round makes, and a bare loop of as many POSTs. */
export interface DeliveredRound {
  readonly spent: Spent
  readonly wallMs: number
  readonly bareMs: number
  readonly bareCpuMs: number
}

/** Tells the peer to let `amount` events happen, waits until each has come once, and has the bare loop send as much. */
export async function deliveredRound(arena: Arena, amount: number, go: 'open' | 'answer'): Promise<DeliveredRound> {
  const spent = await arena.spends(async () => {
    await arena.peer.tell(go)
    await arena.sees(({ events }) => events >= amount)
  })
  const { bytes, events, firstAt, lastAt, repeated } = await arena.peer.tell('seen')
  if (events !== amount || repeated > 0) throw new Error(`${events} events came, and ${repeated} again`)
  const bare = await arena.bare({ kind: 'posts', amount, bytes })
  return { spent, wallMs: lastAt - firstAt, bareMs: bare.wallMs, bareCpuMs: bare.cpuMs }
}

/**
 * Medians of the rounds after the first, which warms up: µs of the processor for each event, and events a second. `coldRatio` is of
 * the first, in which V8 has compiled neither side.
 */
export function deliveredFigures(rounds: readonly DeliveredRound[], amount: number) {
  const measured = rounds.slice(1)
  const middle = (figure: (round: DeliveredRound) => number): number => median(measured.map(figure))
  return {
    cpuUs: (middle(({ spent }) => spent.cpuMs) * 1_000) / amount,
    bareCpuUs: (middle(({ bareCpuMs }) => bareCpuMs) * 1_000) / amount,
    rate: (amount * 1_000) / middle(({ wallMs }) => wallMs),
    bareRate: (amount * 1_000) / middle(({ bareMs }) => bareMs),
    ratio: middle(ratioOf),
    coldRatio: median(rounds.slice(0, 1).map(ratioOf)),
    stages: stageTable(
      measured.map(({ spent }) => spent),
      amount,
    ),
  }
}

export function ratioOf({ bareMs, wallMs }: DeliveredRound): number {
  return bareMs / wallMs
}
