import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { openPostgresStore } from '../../../src/store/server/open-store.ts'
import { openStore } from '../../../src/store/file/open-store.ts'
import type { Store } from '../../../src/store/ports/store.ts'
import { API_KEY, LoopbackPlatform } from '../../support/loopback-platform.ts'
import { SECRET } from '../../support/loopback-receiver.ts'
import { PostgresServer } from '../../support/postgres-server.ts'
import { type RunningShipbell, Workplace } from '../../support/shipbell.ts'
import { cpuMsOf, familyCpuMs } from '../process-cpu.ts'
import { type SlowReceiver, startSlowReceiver } from '../start-peer.ts'
import { fillBacklog, knowEndpoints, NAMES, rowsLeft } from './backlog.ts'
import { type CpuLimit, holdTo } from './cpu-limit.ts'

export const PLACES = 4
export const ANSWERS_AFTER_MS = 50
/** Rows of each endpoint for each worker that are delivered before anything is measured: code that ran a thousand times is compiled. */
const WARM_ROWS = 60
const WARM_MS = 2_000
const LOOK_MS = 50

export interface RoundPlan {
  readonly workers: number
  /** Of each worker; null: it takes as much of the processor as there is. */
  readonly limit: CpuLimit | null
  /** Of each endpoint: more than can be delivered. */
  readonly rows: number
  readonly seconds: number
}

/** Of a span of steady delivering. CPU in milliseconds for 1,000 deliveries. */
export interface Rate {
  readonly perSecond: number
  readonly workerMs: number
  readonly databaseMs: number
  readonly receiverMs: number
}

interface Reading {
  readonly at: number
  readonly answered: number
  readonly workers: number
  readonly database: number
  readonly receiver: number
}

/** A receiver with 200 endpoints and a PostgreSQL, between which workers of one round after the other deliver. */
export class Delivering implements AsyncDisposable {
  readonly #server: PostgresServer
  readonly #receiver: SlowReceiver
  readonly #platform: LoopbackPlatform
  readonly #stack: AsyncDisposableStack
  #rounds = 0

  private constructor(
    parts: { readonly server: PostgresServer; readonly receiver: SlowReceiver; readonly platform: LoopbackPlatform },
    stack: AsyncDisposableStack,
  ) {
    this.#server = parts.server
    this.#receiver = parts.receiver
    this.#platform = parts.platform
    this.#stack = stack
  }

  static async open(): Promise<Delivering> {
    await using stack = new AsyncDisposableStack()
    const server = stack.use(await PostgresServer.start({ durable: true, settings: ['shared_buffers=256MB'] }))
    const receiver = stack.use(await startSlowReceiver(ANSWERS_AFTER_MS))
    const platform = stack.use(await LoopbackPlatform.start())
    return new Delivering({ server, receiver, platform }, stack.move())
  }

  /** So many workers on a database of their own, which has rows all along. */
  async onPostgres(plan: RoundPlan): Promise<Rate> {
    await using round = new AsyncDisposableStack()
    const url = await this.#database(round)
    const store = round.use(await openPostgresStore({ url, pool: 4 }))
    await knowEndpoints(store)
    const work = this.#workplace(round, `url: "${url}"`)
    const workers = await Promise.all(Array.from({ length: plan.workers }, async () => await started(work)))
    const answered = await this.#receiver.answered()
    const warming = WARM_ROWS * plan.workers
    await fillBacklog(store, 'warm', warming)
    await this.#answers(answered + warming * NAMES.length)
    const { limit } = plan
    if (limit !== null) for (const { pid } of workers) round.use(holdTo(limit, pid))
    await fillBacklog(store, 'measured', plan.rows)
    return await this.#rate(store, workers, plan)
  }

  /** One process, whose store is filled before it starts. */
  async alone(kind: 'sqlite' | 'postgres', plan: Pick<RoundPlan, 'rows' | 'seconds'>): Promise<Rate> {
    await using round = new AsyncDisposableStack()
    const url = kind === 'postgres' ? await this.#database(round) : ''
    const work = this.#workplace(round, kind === 'postgres' ? `url: "${url}"` : 'path: shipbell.db')
    const store = round.use(
      kind === 'postgres'
        ? await openPostgresStore({ url, pool: 4 })
        : openStore({ path: `${work.folder}/shipbell.db` }),
    )
    await knowEndpoints(store)
    await fillBacklog(store, 'measured', plan.rows)
    const answered = await this.#receiver.answered()
    const worker = work.start('run')
    await this.#answers(answered + WARM_ROWS * NAMES.length)
    return await this.#rate(store, [worker], plan)
  }

  async #rate(store: Store, workers: readonly RunningShipbell[], plan: Pick<RoundPlan, 'seconds'>): Promise<Rate> {
    await delay(WARM_MS)
    const before = await this.#read(workers)
    await delay(plan.seconds * 1_000)
    const after = await this.#read(workers)
    if ((await rowsLeft(store)) === 0) throw new Error('every row was delivered before the end')
    const thousands = (after.answered - before.answered) / 1_000
    return {
      perSecond: (1_000 * thousands) / ((after.at - before.at) / 1_000),
      workerMs: (after.workers - before.workers) / thousands,
      databaseMs: (after.database - before.database) / thousands,
      receiverMs: (after.receiver - before.receiver) / thousands,
    }
  }

  async #read(workers: readonly RunningShipbell[]): Promise<Reading> {
    return {
      at: performance.now(),
      answered: await this.#receiver.answered(),
      workers: workers.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0),
      database: familyCpuMs(this.#server.pid ?? 0),
      receiver: cpuMsOf(this.#receiver.pid),
    }
  }

  async #answers(amount: number): Promise<void> {
    while ((await this.#receiver.answered()) < amount) await delay(LOOK_MS)
  }

  /** Goes with the round. */
  async #database(round: AsyncDisposableStack): Promise<string> {
    this.#rounds += 1
    const name = `round_${this.#rounds}`
    await this.#execute(`CREATE DATABASE ${name}`)
    round.defer(async () => await this.#execute(`DROP DATABASE ${name} WITH (FORCE)`))
    return this.#server.url(name)
  }

  async #execute(sql: string): Promise<void> {
    const client = new Client({ connectionString: this.#server.url() })
    await client.connect()
    await client.query(sql)
    await client.end()
  }

  #workplace(round: AsyncDisposableStack, storage: string): Workplace {
    const work = round.use(new Workplace())
    const hooks = NAMES.map(
      (name) =>
        `  ${name}: { url: "${this.#receiver.url}/${name}", secret: ${SECRET}, events: ["shipment.*"], concurrency: ${PLACES} }`,
    )
    work.write(
      'shipbell.yaml',
      `accounts:
  acme: { base_url: "${this.#platform.url}", api_key: ${API_KEY}, watch: { invoices: { every: 1h } } }
subscriptions:
${hooks.join('\n')}
delivery: { allow_networks: [127.0.0.0/8] }
storage: { ${storage} }
http: false
`,
    )
    return work
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }
}

async function started(work: Workplace): Promise<RunningShipbell> {
  const running = work.start('run')
  await running.prints(/worker\.joined/)
  return running
}
