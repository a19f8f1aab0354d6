import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Workplace } from '../../support/shipbell.ts'
import { memoryOf } from '../footprint/process-memory.ts'
import { YOUNG_ROOM } from '../young-room.ts'
import { configureMany, EVERY_MS, type Many } from './many-config.ts'
import type { ManyMessage, ManySeen } from './many-peer.ts'
import type { Held } from './many-probe.ts'

const SIZES: readonly Many[] = [
  { accounts: 1, subscriptions: 0 },
  { accounts: 100, subscriptions: 0 },
  { accounts: 1_000, subscriptions: 0 },
  { accounts: 1, subscriptions: 2_000 },
]
/** Read as seldom as they are by default: more often is more than two cores can do. */
const LARGEST: Many = { accounts: 5_000, subscriptions: 5_000, everyS: 120 }
const FIFTH_MS = 200
/** Starting, and coming to one's place. */
const SETTLES_MS = 3 * EVERY_MS
const MEASURED_MS = 2 * EVERY_MS

/**
 * Many customers in one process: how their requests are spread, what each takes of the memory, and how long the loop is held.
 * Linux only.
 */
export async function benchMany(): Promise<string> {
  const peer = await ManyPeer.start()
  try {
    const lines: string[] = []
    let alone: number | null = null
    for (const size of SIZES) {
      const { megabytes, text } = await stay(size, peer)
      alone ??= megabytes
      const more = size.accounts + size.subscriptions - 1
      const each = more === 0 ? '' : `, ${((megabytes - alone) / more).toFixed(2)} MB for each more`
      lines.push(
        `many, ${size.accounts} accounts, ${size.subscriptions} subscriptions: ${megabytes.toFixed(0)} MB${each}; ${text}`,
      )
    }
    lines.push(
      await startAndReload(peer),
      'bars: 0.2 MB for an account, 0.1 for a subscription, the loop held for 50 ms at most',
    )
    return lines.join('\n')
  } finally {
    peer[Symbol.dispose]()
  }
}

/** Memory in its course, and what else is to be said. */
async function stay(size: Many, peer: ManyPeer): Promise<{ readonly megabytes: number; readonly text: string }> {
  using work = new Workplace()
  configureMany(work, peer.url, size)
  using daemon = new ManyDaemon(work)
  await daemon.listens()
  await daemon.held()
  await delay(EVERY_MS)
  const start = await peer.tell('asked')
  await delay(SETTLES_MS - EVERY_MS)
  await peer.tell(size.subscriptions > 0 ? 'change' : 'asked')
  await delay(MEASURED_MS)
  const { askedAt, events } = await peer.tell('asked')
  const { longestMs, over50 } = await daemon.held()
  const megabytes = memoryOf(daemon.pid).nowMb
  await daemon.stop()
  const told = size.subscriptions === 0 ? '' : `${events} events came; `
  const text = `${told}requests in a fifth of a second: ${spreadOf(start.askedAt)} at the start, ${spreadOf(askedAt)} later; loop held for ${longestMs.toFixed(0)} ms at most, ${over50} times for more than 50`
  return { megabytes, text }
}

/** A start with the most there are, and a reload that brings all but a hundred of them. */
async function startAndReload(peer: ManyPeer): Promise<string> {
  using work = new Workplace()
  configureMany(work, peer.url, LARGEST)
  const started = await heldBy(work, async () => await delay(EVERY_MS))
  using other = new Workplace()
  configureMany(other, peer.url, { ...LARGEST, accounts: 100, subscriptions: 100 })
  const reloaded = await heldBy(other, async (daemon) => {
    await delay(2_000)
    await daemon.held()
    configureMany(other, peer.url, LARGEST)
    daemon.reload()
    await delay(EVERY_MS)
  })
  const { accounts, subscriptions } = LARGEST
  return `many, ${accounts} accounts and ${subscriptions} subscriptions: loop held at a start for ${said(started)}; at a reload for ${said(reloaded)}`
}

function said({ longestMs, over50 }: Held): string {
  return `${longestMs.toFixed(0)} ms at most, ${over50} times for more than 50`
}

async function heldBy(work: Workplace, during: (daemon: ManyDaemon) => Promise<void>): Promise<Held> {
  using daemon = new ManyDaemon(work)
  await daemon.listens()
  await daemon.held()
  await during(daemon)
  const held = await daemon.held()
  await daemon.stop()
  return held
}

/** The fullest fifth of a second beside the mean, and how many hold nothing. */
function spreadOf(askedAt: readonly number[]): string {
  const [first = 0] = askedAt
  const last = askedAt.at(-1) ?? first
  const fifths = Array.from({ length: Math.floor((last - first) / FIFTH_MS) + 1 }, () => 0)
  for (const at of askedAt) {
    const fifth = Math.floor((at - first) / FIFTH_MS)
    fifths[fifth] = (fifths[fifth] ?? 0) + 1
  }
  const mean = askedAt.length / fifths.length
  const empty = fifths.filter((requests) => requests === 0).length / fifths.length
  return `${(Math.max(...fifths) / mean).toFixed(1)} times the mean of ${mean.toFixed(1)} at most, ${(empty * 100).toFixed(0)} % empty`
}

class ManyPeer implements Disposable {
  readonly #child: ChildProcess
  readonly url: string

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  static async start(): Promise<ManyPeer> {
    const child = fork(fileURLToPath(new URL('many-peer.ts', import.meta.url)))
    const [address]: { port: number }[] = await once(child, 'message')
    return new ManyPeer(child, `http://127.0.0.1:${address?.port}`)
  }

  async tell(message: ManyMessage): Promise<ManySeen> {
    this.#child.send(message)
    const [seen]: ManySeen[] = await once(this.#child, 'message')
    if (seen === undefined) throw new Error('the platform did not say what it saw')
    return seen
  }

  [Symbol.dispose](): void {
    this.#child.disconnect()
  }
}

/** The real program, which says how long its loop was held. */
class ManyDaemon implements Disposable {
  readonly #child: ChildProcess
  readonly #listens: Promise<unknown>

  constructor(work: Workplace) {
    const probe = new URL('many-probe.ts', import.meta.url).href
    this.#child = spawn(process.execPath, [...YOUNG_ROOM, '--import', probe, work.entry, 'run'], {
      cwd: work.folder,
      env: { PATH: process.env['PATH'], HOME: work.folder, NO_COLOR: '1', MALLOC_ARENA_MAX: '1' },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    this.#listens = this.#child.stdout === null ? Promise.resolve() : once(this.#child.stdout, 'data')
    // Whoever waits for its answer would wait for ever.
    this.#child.once('exit', (code) => {
      if (code !== 0 && code !== null) throw new Error(`the program ended with ${code}`)
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async listens(): Promise<void> {
    await this.#listens
  }

  /** Since it was last asked. */
  async held(): Promise<Held> {
    this.#child.send('held')
    const [held]: Held[] = await once(this.#child, 'message')
    if (held === undefined) throw new Error('the program did not say how long it was held')
    return held
  }

  reload(): void {
    this.#child.kill('SIGHUP')
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await ended
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL')
  }
}
