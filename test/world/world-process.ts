import { createLogger } from '../../src/log.ts'
import type { AccountSettings } from '../../src/model/account.ts'
import { interfaceFields } from '../../src/platform/schemas.ts'
import { AccountPoller, type OncePass } from '../../src/poll/account-poller.ts'
import { Committer } from '../../src/poll/committer.ts'
import type { Random } from '../../src/sandbox/random.ts'
import type { ReadBatch } from '../../src/store/ports/commit-port.ts'
import type { Store } from '../../src/store/ports/store.ts'
import type { WorldPlatform } from './hostile-platform.ts'
import type { LeapingClock } from './leaping-clock.ts'
import type { Oracle } from './oracle.ts'

export interface WorldProcessOptions {
  readonly account: AccountSettings
  readonly store: Store
  readonly platform: WorldPlatform
  readonly oracle: Oracle
  readonly clock: LeapingClock
  readonly random: Random
}

const FIELDS = interfaceFields()
const FLOOR = { failures: 3, waitMs: 60_000 }

/** One process that polls the account and may die before and after each write; the oracle hears what it does. */
export class WorldProcess {
  readonly platform: WorldPlatform
  /** Probability of death at each side of a write. */
  kills = 0
  readonly #options: WorldProcessOptions
  readonly #poller: AccountPoller

  constructor(options: WorldProcessOptions) {
    this.#options = options
    this.platform = options.platform
    options.oracle.started()
    const { account, clock, platform } = options
    const store = this.#mortal(options.store)
    const committer = new Committer({ store, clock, subscriptions: () => [], onDeliveries: () => undefined })
    const write = (line: string): void => this.#hear(JSON.parse(line))
    const log = createLogger({ level: 'info', pretty: false, colour: false, secrets: () => [], write })
    this.#poller = new AccountPoller({
      account,
      platform,
      committer,
      clock,
      log,
      random: () => 0,
      progress: () => undefined,
      patience: FLOOR,
      fields: FIELDS,
    })
  }

  /** One full pass; null: it died on the way. */
  async pass(): Promise<readonly OncePass[] | null> {
    const { clock, oracle, platform } = this.#options
    try {
      const passes = await this.#poller.once(new AbortController().signal)
      for (const { resource, incomplete } of passes) {
        if (isReadOneByOne(resource)) oracle.passEnded(resource, incomplete === null, clock.now())
      }
      return passes
    } catch (error) {
      if (!platform.killed) throw error
      oracle.killed()
      return null
    }
  }

  /** A pass over a list says when it is over. */
  #hear(line: Readonly<Record<string, unknown>>): void {
    const { clock, oracle, platform } = this.#options
    const { msg, resource, complete } = line
    if (msg !== 'poll.completed' || typeof resource !== 'string' || platform.killed) return
    if (!isReadOneByOne(resource)) oracle.passEnded(resource, complete === true, clock.now())
  }

  /** The store as a process sees it that may die; dead, it writes no more. */
  #mortal(store: Store): Store {
    const { oracle, platform, random } = this.#options
    const mayDie = (): void => {
      if (random.chance(this.kills)) platform.killed = true
      if (platform.killed) throw new Error('killed')
    }
    return {
      ...store,
      startPass: async (account, resource, at) => {
        mayDie()
        const state = await store.startPass(account, resource, at)
        oracle.passStarted(resource)
        return state
      },
      commit: async (batch) => {
        mayDie()
        await store.commit(batch)
        oracle.committed(await spelledOut(store, batch))
        mayDie()
      },
    }
  }
}

function isReadOneByOne(watch: string): boolean {
  return watch === 'tracking' || watch === 'order_preparations'
}

/** A page that was answered as it is known tells of every record on it. */
async function spelledOut(store: Store, batch: ReadBatch): Promise<ReadBatch> {
  const { account, changes } = batch
  const page = changes.find(({ kind }) => kind === 'page')
  if (page?.kind !== 'page' || page.page.kind !== 'same') return batch
  const { isFresh, read, resource, skip } = page.page
  const ids = await store.idsOn(account, resource, [skip])
  const emitted = isFresh
    ? ({ kind: 'unchanged', resource, ids, read } as const)
    : ({ kind: 'met', resource, ids } as const)
  return { ...batch, changes: [...changes, emitted] }
}
