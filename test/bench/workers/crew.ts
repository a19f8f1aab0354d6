import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Yard } from '../../pipeline/yard.ts'
import { DatabaseProxy } from '../../support/database-proxy.ts'
import type { RunningShipbell, Workplace } from '../../support/shipbell.ts'

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

/** A worker with a clock, a way to the database and a process of its own. */
export class Post {
  readonly proxy: DatabaseProxy
  readonly #work: Workplace
  #running: RunningShipbell | null = null

  constructor(proxy: DatabaseProxy, work: Workplace) {
    this.proxy = proxy
    this.#work = work
  }

  async start(): Promise<void> {
    this.#running = this.#work.start('run')
    await this.#running.prints(/worker\.joined/)
  }

  /** Resolves once it has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    this.#running?.kill(signal)
    return (await this.#running?.ended)?.code ?? null
  }

  async stopFor(ms: number): Promise<void> {
    this.#running?.kill('SIGSTOP')
    await delay(ms)
    this.#running?.kill('SIGCONT')
  }

  /** What it has said since it started. */
  get log(): string {
    return this.#running?.stderr ?? ''
  }
}

/** Three workers whose clocks are an hour apart, where libfaketime is installed. Everything of them goes with `stack`. */
export async function openCrew(
  yard: Yard,
  database: string,
  stack: AsyncDisposableStack,
): Promise<readonly [Post, Post, Post]> {
  const open = async (offset: string): Promise<Post> => {
    const proxy = stack.use(await DatabaseProxy.start(database))
    const work = yard.workplace(proxy.url)
    if (hasFaketime()) work.environment = { LD_PRELOAD: FAKETIME, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
    const post = new Post(proxy, work)
    await post.start()
    return post
  }
  return [await open('+0'), await open('+1h'), await open('-1h')]
}

export function hasFaketime(): boolean {
  return existsSync(FAKETIME)
}
