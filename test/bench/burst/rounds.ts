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
