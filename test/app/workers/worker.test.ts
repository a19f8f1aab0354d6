import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configDigest } from '../../../src/app/workers/config-digest.ts'
import { HOUSEKEEPING, unitOf } from '../../../src/app/workers/units.ts'
import { workerOverviews } from '../../../src/operate/worker-overviews.ts'
import { Worker } from '../../../src/app/workers/worker.ts'
import type { Config } from '../../../src/config/config.ts'
import { LiveConfig } from '../../../src/config/live-config.ts'
import { ShipbellError } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'
import type { AccountSettings } from '../../../src/model/account.ts'
import type { Subscription } from '../../../src/model/subscription.ts'
import { Database } from '../../../src/store/server/database.ts'
import { openPostgresStore } from '../../../src/store/server/open-store.ts'
import { Query } from '../../../src/store/server/query.ts'
import type { SharedStore } from '../../../src/store/ports/worker-port.ts'
import { BOUNDLESS_ACCOUNT } from '../../support/boundless-account.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { postgresDatabases } from '../../support/postgres-databases.ts'
import { subscription } from '../../support/subscription.ts'

/** By the database's time nobody expires during a test, unless the test says so; and time passes faster than it answers. */
const TIMING = { ttlMs: 600_000, trustMs: 120_000, renewMs: 5_000, lookMs: 1_000 }
/** Of who dies: no renewal is under way as it does, which would tell it. */
const UNRENEWED = { ...TIMING, renewMs: 2 * TIMING.trustMs }
const ALIVE = new Query<{ one: number }>('SELECT 1 AS one')
const EXPIRE = new Query('UPDATE workers SET expires_at = 0 WHERE id = :id')

/** One process: a worker, and what it was told. */
interface Process {
  readonly worker: Worker
  readonly clock: FakeClock
  readonly live: LiveConfig
  /** The accounts that it polls, as it was told last. */
  readonly polled: () => readonly string[]
  /** How often it began to work. */
  readonly works: () => number
  readonly done: string[]
  /** The lines of its log. */
  readonly said: string[]
  /** The answer to its next survey that buries a worker is lost. */
  readonly losesBurial: () => void
  /** The database has another past from now on. */
  readonly wentBack: () => void
  /** Ends it, the way SIGTERM does. */
  readonly stop: () => Promise<void>
}

function config(accounts: readonly AccountSettings[], subscriptions: readonly Subscription[] = []): Config {
  return {
    file: 'shipbell.yaml',
    accounts,
    subscriptions,
    delivery: { allowNetworks: [], retryMs: [1_000] },
    retention: { payloadsMs: 1, ledgerMs: 1 },
    ping: null,
    storage: { kind: 'file', path: 'unused' },
    http: null,
    runtimeSubscriptions: null,
    log: { level: 'silent' },
  }
}

/** `accounts('a', 'b')`: each with a key of its own. */
function accounts(...names: readonly string[]): readonly AccountSettings[] {
  return names.map((name) => ({ ...BOUNDLESS_ACCOUNT, name, baseUrl: 'https://platform.example', apiKey: name }))
}

let url: string
let store: SharedStore
let db: Database
let processes: Process[]

beforeEach(async () => {
  url = await (await postgresDatabases()).take()
  store = await openPostgresStore({ url, pool: 6 })
  db = new Database({ url, pool: 1 })
  processes = []
})

afterEach(async () => {
  await Promise.all(processes.map(async ({ stop }) => stop()))
  await store[Symbol.asyncDispose]()
  await db[Symbol.asyncDispose]()
  await (await postgresDatabases()).giveBack(url)
})

async function start(given: Config, { command = 'run', timing = TIMING } = {}): Promise<Process> {
  const clock = new FakeClock()
  const live = new LiveConfig(given)
  const done: string[] = []
  const said: string[] = []
  const known = { past: '' }
  const lost = { survey: false }
  const told: SharedStore = {
    ...store,
    workers: {
      ...store.workers,
      survey: async (how) => {
        const survey = await store.workers.survey(how)
        if (lost.survey && survey.buried.length > 0) {
          lost.survey = false
          throw new ShipbellError('store_unusable', 'The connection was cut.')
        }
        return { ...survey, ...(known.past !== '' && known) }
      },
    },
    syncSubscriptions: async (subscriptions, at, config) => {
      done.push(`sync ${subscriptions.map(({ name }) => name).join()}`)
      await store.syncSubscriptions(subscriptions, at, config)
    },
    recoverClaims: async (recovery) => {
      done.push('recover')
      return await store.recoverClaims(recovery)
    },
  }
  const write = (line: string): void => void said.push(line)
  const log = createLogger({ level: 'warn', pretty: false, colour: false, secrets: () => [], write })
  const facts = { host: 'here', pid: 1, command, version: '1.0.0' }
  const worker = await Worker.join({ store: told, live, clock, log, facts, timing })
  let polled: readonly string[] = []
  let works = 0
  worker.listen({
    changed: async () => void (polled = worker.accounts().map(({ name }) => name)),
    freed: () => undefined,
  })
  const stopping = new AbortController()
  const work = async (signal: AbortSignal): Promise<void> => {
    works += 1
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  const running = command === 'run' ? worker.during({ work, signal: stopping.signal }) : Promise.resolve()
  const stop = async (): Promise<void> => {
    stopping.abort()
    await running
    await worker[Symbol.asyncDispose]()
  }
  const wentBack = (): void => void (known.past = 'another')
  const losesBurial = (): void => void (lost.survey = true)
  const process = {
    worker,
    wentBack,
    losesBurial,
    clock,
    live,
    done,
    said,
    stop,
    polled: () => polled,
    works: () => works,
  }
  processes.push(process)
  return process
}

/** Time passes for these, little by little, until it is so. Whoever is left out stands still. */
async function until(isSo: () => boolean, ...going: readonly Process[]): Promise<void> {
  while (!isSo()) {
    for (const { clock } of going) await clock.advance(50)
    // As long as the database takes for anything.
    await db.one(ALIVE)
  }
}

async function expire({ worker }: Process): Promise<void> {
  await db.write(async (tx) => tx.run(EXPIRE, { id: worker.owner }))
}

function sizes(...these: readonly Process[]): readonly number[] {
  return these.map(({ polled }) => polled().length)
}

describe('the accounts of a store', () => {
  it('are polled by the one worker that there is, and shared with one that joins', async () => {
    const given = config(accounts('a', 'b', 'c', 'd', 'e'))
    const first = await start(given)
    await until(() => first.polled().length === 5, first)
    const second = await start(given)
    await until(() => second.polled().length === 2, first, second)
    expect(first.polled()).toHaveLength(3)
    expect([...first.polled(), ...second.polled()].toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(first.done.filter((each) => each.startsWith('sync'))).toHaveLength(1)
  })

  it('go together where they share a key', async () => {
    const shared = accounts('a', 'b', 'c', 'd').map((account) => ({ ...account, apiKey: 'one' }))
    const given = config([...shared, ...accounts('e')])
    const first = await start(given)
    const second = await start(given)
    await until(() => Math.min(...sizes(first, second)) === 1 && Math.max(...sizes(first, second)) === 4, first, second)
  })

  it('go over at once from a worker that stops', async () => {
    const given = config(accounts('a', 'b', 'c', 'd'))
    const [first, second] = [await start(given), await start(given)]
    await until(() => sizes(first, second).join() === '2,2', first, second)
    await first.stop()
    await until(() => second.polled().length === 4, second)
    expect(second.worker.counts.takeovers).toBe(0)
    expect((await store.workers.survey()).workers.map(({ id }) => id)).toEqual([second.worker.owner])
  })

  it('are waited for by nobody who has stopped, also in the middle of a renewal', async () => {
    const process = await start(config(accounts('a')))
    await until(() => process.polled().length === 1, process)
    process.worker.serves(8_484)
    await process.stop()
    expect(process.clock.nextWakeAt).toBeNull()
  })

  it('are taken over from a worker that died, and what it had claimed is free', async () => {
    const given = config(accounts('a', 'b', 'c', 'd'))
    const [dead, alive] = [await start(given, { timing: UNRENEWED }), await start(given)]
    await until(() => sizes(dead, alive).join() === '2,2', dead, alive)
    await expire(dead)
    await until(() => alive.polled().length === 4, alive)
    expect(alive.worker.counts.takeovers).toBeGreaterThanOrEqual(2)
    expect(alive.done).toContain('recover')
  })

  it('are worked on by nobody who is stopped before the first look has ended', async () => {
    const process = await start(config(accounts('a')))
    await process.stop()
    expect(process.works()).toBe(0)
  })

  it('are free with what was claimed also where the survey that buried their worker failed', async () => {
    const given = config(accounts('a', 'b', 'c', 'd'))
    const [dead, alive] = [await start(given, { timing: UNRENEWED }), await start(given)]
    await until(() => sizes(dead, alive).join() === '2,2', dead, alive)
    alive.done.length = 0
    alive.losesBurial()
    await expire(dead)
    await until(() => alive.polled().length === 4, alive)
    expect(alive.done).toContain('recover')
  })

  it('are begun anew in a database that went back, where subscriptions are made known and claims freed again', async () => {
    const process = await start(config(accounts('a', 'b')))
    await until(() => process.polled().length === 2, process)
    const told: (readonly string[])[] = []
    process.worker.listen({
      changed: async () => void told.push(process.worker.accounts().map(({ name }) => name)),
      freed: () => undefined,
    })
    process.done.length = 0
    process.wentBack()
    await until(() => told.length >= 2 && process.done.length >= 2, process)
    expect(told).toEqual([[], ['a', 'b']])
    expect(process.done.map((each) => each.split(' ')[0])).toEqual(['recover', 'sync'])
  })

  it('that are configured no more are forgotten', async () => {
    const process = await start(config(accounts('a', 'b')))
    await until(() => process.polled().length === 2, process)
    const next = config(accounts('a'))
    await process.worker.load(next)
    process.live.replace(next)
    await until(() => process.polled().length === 1, process)
    await until(() => process.works() === 1, process)
    let units: readonly string[] = []
    while (units.length !== 2) {
      await process.clock.advance(TIMING.lookMs)
      units = (await store.workers.survey()).units.map(({ unit }) => unit)
    }
    expect(units.toSorted()).toEqual([HOUSEKEEPING, ...accounts('a').map(unitOf)])
  })
})

describe('a worker that stood still', () => {
  it('trusts its leases no longer than they last, and works on under another id', async () => {
    const process = await start(config(accounts('a')))
    await until(() => process.polled().length === 1, process)
    const before = process.worker.owner
    expect(process.worker.isTrusted()).toBe(true)
    process.clock.jump(process.clock.now() + TIMING.trustMs)
    expect(process.worker.isTrusted()).toBe(false)
    await until(() => process.worker.owner !== before && process.works() === 2, process)
    expect(process.worker.isTrusted()).toBe(true)
    await expire(process)
    await until(() => process.works() === 3, process)
  })

  it('polls nothing from when it notices until it has a lease again', async () => {
    const given = config(accounts('a', 'b'))
    const stopped = await start(given, { timing: UNRENEWED })
    const other = await start(given)
    await until(() => sizes(stopped, other).join() === '1,1', stopped, other)
    await expire(stopped)
    await until(() => other.polled().length === 2, other)
    stopped.clock.jump(stopped.clock.now() + 2 * TIMING.trustMs)
    expect(stopped.worker.isTrusted()).toBe(false)
    await until(() => stopped.polled().length === 0, stopped)
    await until(() => sizes(stopped, other).join() === '1,1', stopped, other)
  })

  it('joins anew as soon as it sees that it has expired, and takes nobody for newer who has the same configuration', async () => {
    const given = config(accounts('a', 'b'))
    const expired = await start(given, { timing: UNRENEWED })
    const other = await start(given)
    await until(() => sizes(expired, other).join() === '1,1', expired, other)
    await expire(expired)
    await until(() => expired.works() === 2 && sizes(expired, other).join() === '1,1', expired, other)
    expect(expired.worker.isTrusted()).toBe(true)
    expect(expired.said.join('')).toContain('worker.lost')
    expect(expired.said.join('')).not.toContain('worker.outdated')
  })

  it('works on where only a renewal came late', async () => {
    const process = await start(config(accounts('a')))
    await until(() => process.polled().length === 1, process)
    process.clock.jump(process.clock.now() + TIMING.trustMs / 2)
    expect(process.worker.isTrusted()).toBe(true)
    const renewed = process.clock.now() + TIMING.trustMs
    await until(() => process.clock.now() > renewed, process)
    expect(process.works()).toBe(1)
  })
})

describe('workers with different configurations', () => {
  it('leave everything to the newest, and what it does not change to all', async () => {
    const [same, changed] = [subscription('same'), subscription('changed')]
    const a = config(accounts('a', 'b'), [same, changed])
    const b = config(accounts('a', 'b'), [same, { ...changed, enabled: false }])
    const old = await start(a)
    await until(() => old.polled().length === 2, old)
    const newest = await start(b)
    await until(() => newest.polled().length === 2, old, newest)
    expect(old.polled()).toEqual([])
    expect(old.worker.subscriptions()).toEqual([same])
    expect(await workerOverviews(store.workers)).toMatchObject([
      { id: old.worker.owner, accounts: [], configDiffers: true },
      { id: newest.worker.owner, accounts: ['a', 'b'], configDiffers: false },
    ])
    expect(newest.worker.subscriptions()).toEqual(b.subscriptions)
    await old.worker.load(b)
    old.live.replace(b)
    await until(() => sizes(old, newest).join() === '1,1', old, newest)
    expect(old.worker.subscriptions()).toEqual(b.subscriptions)
  })

  it('go back to the older one where nobody has the newest any more', async () => {
    const [a, b] = [config(accounts('a')), config(accounts('a', 'b'))]
    const old = await start(a)
    const newest = await start(b)
    await until(() => newest.polled().length === 2, old, newest)
    await newest.stop()
    await until(() => old.polled().length === 1, old)
    while ((await store.workers.survey()).inForce !== configDigest(a)) await old.clock.advance(50)
  })
})

describe('what is done once', () => {
  it('takes every account while nobody polls', async () => {
    const once = await start(config(accounts('a', 'b')), { command: 'once' })
    await once.worker.takeAll()
    expect(once.polled()).toEqual(['a', 'b'])
    const daemon = await start(config(accounts('a', 'b')))
    await until(() => daemon.works() === 1, daemon)
    expect(daemon.polled()).toEqual([])
    await once.stop()
    await until(() => daemon.polled().length === 2, daemon)
  })

  it('is refused while somebody does', async () => {
    const daemon = await start(config(accounts('a', 'b')))
    await until(() => daemon.polled().length === 2, daemon)
    const once = await start(config(accounts('a', 'b')), { command: 'once' })
    await expect(once.worker.takeAll()).rejects.toMatchObject({
      code: 'store_locked',
      message: expect.stringContaining('process 1 on here'),
    })
    expect(daemon.polled()).toEqual(['a', 'b'])
  })

  it('is one worker at a time that keeps house', async () => {
    const given = config(accounts('a'))
    const [first, second] = [await start(given), await start(given)]
    await until(() => first.works() + second.works() === 2, first, second)
    const keeping: string[] = []
    const over = new AbortController()
    const keep = async (name: string, { worker }: Process): Promise<void> =>
      worker.keepingHouse({
        signal: over.signal,
        work: async (signal) => {
          keeping.push(name)
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          keeping.splice(keeping.indexOf(name), 1)
        },
      })
    const kept = [keep('first', first), keep('second', second)]
    await until(() => keeping.length > 0, first, second)
    const [keeper] = keeping
    expect(keeping).toHaveLength(1)
    const [one, other] = keeper === 'first' ? [first, second] : [second, first]
    await one.stop()
    await until(() => keeping.length === 1 && keeping[0] !== keeper, other)
    over.abort()
    await until(() => keeping.length === 0, one, other)
    await Promise.all(kept)
  })
})
