import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Clock } from './clock.ts'
import { secretsOf, type Config } from './config/config.ts'
import { createDeliverer, type Deliverer } from './deliver/deliverer.ts'
import { requireConfig, requireStorage } from './config/require-config.ts'
import type { LoadOptions } from './config/load-config.ts'
import { ShipbellError } from './errors.ts'
import { startHttpServer, type HttpServer } from './http-server.ts'
import { createLogger, type Logger } from './log.ts'
import type { AccountSettings } from './model/account.ts'
import type { Delivery } from './model/delivery.ts'
import { createPlatformClient } from './platform/client.ts'
import { interfaceFields } from './platform/interface-fields.ts'
import type { PlatformClient } from './platform/platform-client.ts'
import { AccountPoller, type OncePass } from './poll/account-poller.ts'
import { Committer } from './poll/committer.ts'
import { ENDLESS_PATIENCE, type Patience } from './poll/gate.ts'
import type { Progress } from './poll/progress.ts'
import { createAdminApp } from './serve/admin-app.ts'
import { judgeReadiness, type Readiness } from './serve/readiness.ts'
import type { Store } from './store/ports.ts'
import { openStore } from './store/sqlite/open-store.ts'
import { lockStore } from './store/sqlite/store-lock.ts'
import { readVersion } from './version.ts'

export type { BaselineProgress, Progress } from './poll/progress.ts'
export { ENDLESS_PATIENCE } from './poll/gate.ts'
export type { Store } from './store/ports.ts'

export interface ServiceOptions {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly random: () => number
  /** What holds the store's lock, for whoever is refused: "run", "once". */
  readonly command: string
  readonly progress: Progress
  readonly patience: Patience
}

export interface OnceReport {
  readonly passes: readonly (OncePass & { readonly account: string })[]
  /** Ledger rows that are pending, held or exhausted. */
  readonly undelivered: number
}

/** Config → a wired service that holds the store's lock until it is disposed. */
export class Service implements AsyncDisposable {
  readonly #options: ServiceOptions
  readonly #resources: AsyncDisposableStack
  readonly #store: Store
  readonly #deliverer: Deliverer
  readonly #pollers: readonly AccountPoller[]

  private constructor(options: ServiceOptions, parts: Parts) {
    this.#options = options
    this.#resources = parts.resources
    this.#store = parts.store
    this.#deliverer = parts.deliverer
    this.#pollers = parts.pollers
  }

  /** Throws `store_locked`, `store_unusable`, `store_newer`; nothing is left open then. */
  static async open(options: ServiceOptions): Promise<Service> {
    await using opening = new AsyncDisposableStack()
    const store = await openLocked(options, opening)
    const deliverer = opening.use(createServiceDeliverer(options, store))
    const committer = new Committer({
      store,
      subscriptions: () => options.config.subscriptions,
      onDeliveries: () => deliverer.wake(),
    })
    const pollers = options.config.accounts.map(
      (account) =>
        new AccountPoller({
          ...pollerOptions(options, account),
          committer,
          platform: opening.use(connectPlatform(options, account)),
        }),
    )
    return new Service(options, { resources: opening.move(), store, deliverer, pollers })
  }

  get store(): Store {
    return this.#store
  }

  /** Polls and delivers until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const failed = new AbortController()
    const either = AbortSignal.any([signal, failed.signal])
    const loops = [...this.#pollers.map(async (poller) => poller.run(either)), this.#deliverer.run(either)]
    try {
      await Promise.all(loops)
    } finally {
      failed.abort()
      await Promise.allSettled(loops)
    }
  }

  async once(signal: AbortSignal): Promise<OnceReport> {
    const passes = await Promise.all(
      this.#pollers.map(async (poller) => {
        const account = poller.account.name
        return (await poller.once(signal)).map((pass) => ({ account, ...pass }))
      }),
    )
    await this.#deliverer.drain(signal)
    const endpoints = await this.#store.endpoints()
    const undelivered = endpoints.reduce((sum, { counts }) => sum + counts.pending + counts.held + counts.exhausted, 0)
    return { passes: passes.flat(), undelivered }
  }

  /** One attempt for each of these rows that is due. */
  async deliver(signal: AbortSignal, ids: readonly string[]): Promise<void> {
    await this.#deliverer.drain(signal, ids)
  }

  /** null where the configuration has no admin interface. Throws `port_in_use`. */
  async serve(): Promise<HttpServer | null> {
    const { http } = this.#options.config
    if (http === null) return null
    const app = createAdminApp({ token: http.token, readiness: async () => this.#readiness() })
    const server = await startHttpServer({
      host: http.host,
      port: http.port,
      purpose: 'The admin interface',
      remedy: 'change `http.listen`, or set `http: false`',
      fetch: async (request) => app.fetch(request),
    })
    return this.#resources.use(server)
  }

  async #readiness(): Promise<Readiness> {
    const problem = await this.#store.assertWritable().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    const watched = this.#pollers.map(({ account, lastAnswerAt }) => ({
      name: account.name,
      smallestEveryMs: Math.min(...Object.values(account.watch).map(({ everyMs }) => everyMs)),
      lastAnswerAt,
    }))
    return judgeReadiness(watched, problem, this.#options.clock.now())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources[Symbol.asyncDispose]()
  }
}

interface Parts {
  readonly resources: AsyncDisposableStack
  readonly store: Store
  readonly deliverer: Deliverer
  readonly pollers: readonly AccountPoller[]
}

function holder(command: string, clock: Clock): Parameters<typeof lockStore>[1] {
  return { pid: process.pid, command, since: new Date(clock.now()).toISOString(), host: hostname() }
}

async function openLocked(options: ServiceOptions, opening: AsyncDisposableStack): Promise<Store> {
  const { config, clock, command } = options
  opening.use(lockStore(config.storage.path, holder(command, clock)))
  const store = opening.use(openStore({ path: config.storage.path }))
  await store.recoverClaims()
  await store.syncSubscriptions(config.subscriptions, clock.now())
  return store
}

function createServiceDeliverer(options: ServiceOptions, store: Store): Deliverer {
  const { config, clock, log, random } = options
  return createDeliverer({
    store,
    clock,
    log,
    random,
    owner: randomUUID(),
    subscriptions: () => config.subscriptions,
    settings: config.delivery,
    version: readVersion(),
    secrets: () => secretsOf(config),
  })
}

/** An account's platform, with the account's credentials. */
export function connectPlatform({ clock }: { readonly clock: Clock }, account: AccountSettings): PlatformClient {
  const { baseUrl, apiKey, timeoutMs, budget } = account
  const userAgent = `shipbell/${readVersion()}`
  return createPlatformClient({ baseUrl, apiKey, timeoutMs, concurrency: budget.concurrency, userAgent, clock })
}

function pollerOptions(options: ServiceOptions, account: AccountSettings) {
  const { clock, log, random, progress } = options
  return { account, clock, log, random, progress, patience: options.patience, fields: interfaceFields() }
}

/** Of the process: what finding and opening a configuration takes. */
export type Surroundings = LoadOptions & { readonly clock: Clock; readonly signal: AbortSignal }

/** The store that a configuration names, for commands that need no secret and no lock. */
export function openConfiguredStore(file: string, surroundings: LoadOptions, access: 'read' | 'write'): Store {
  const { path } = requireStorage(file, surroundings)
  if (!existsSync(path)) {
    throw new ShipbellError(
      'store_unusable',
      `There is no store at ${path} yet: start the daemon with \`shipbell run\` first.`,
    )
  }
  return openStore({ path, readonly: access === 'read' })
}

/**
 * Waits for what became of pending rows: a running daemon sends them; without one this process takes the store's lock and
 * sends what is due itself. Resolves to the rows, still pending where an attempt failed or none was made in time.
 */
export async function sendPending(
  file: string,
  surroundings: Surroundings,
  ids: readonly string[],
): Promise<readonly Delivery[]> {
  const { clock, signal } = surroundings
  const { path } = requireStorage(file, surroundings)
  if (isDaemonAt(path, clock)) {
    await using store = openStore({ path, readonly: true })
    return await awaitDaemon(store, { ids, clock, signal })
  }
  await using service = await Service.open({
    ...quiet(requireConfig(file, surroundings)),
    clock,
    command: 'deliveries retry',
  })
  await service.deliver(signal, ids)
  return await rowsOf(service.store, ids)
}

/** Throws `config_invalid` where `sendPending` would need a whole configuration (no daemon is running) and there is none. */
export function assertSendable(file: string, surroundings: Surroundings): void {
  const { path } = requireStorage(file, surroundings)
  if (!isDaemonAt(path, surroundings.clock)) requireConfig(file, surroundings)
}

function isDaemonAt(path: string, clock: Clock): boolean {
  try {
    lockStore(path, holder('deliveries retry', clock))[Symbol.dispose]()
    return false
  } catch (error) {
    if (error instanceof ShipbellError && error.code === 'store_locked') return true
    throw error
  }
}

/** Attempts that take longer go on without anybody watching. */
const DAEMON_PATIENCE_MS = 60_000

const LOOK_EVERY_MS = 200

async function awaitDaemon(
  store: Store,
  wait: { readonly ids: readonly string[]; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly Delivery[]> {
  const until = wait.clock.now() + DAEMON_PATIENCE_MS
  for (;;) {
    const rows = await rowsOf(store, wait.ids)
    const now = wait.clock.now()
    if (wait.signal.aborted || now >= until || rows.every((row) => isSettled(row, now))) return rows
    await wait.clock.sleep(LOOK_EVERY_MS, wait.signal)
  }
}

/** A row that still waits for its attempt is due; one that failed waits for a later one. */
function isSettled(row: Delivery, now: number): boolean {
  return row.state !== 'pending' || (row.nextAttemptAt ?? 0) > now
}

async function rowsOf(store: Store, ids: readonly string[]): Promise<readonly Delivery[]> {
  const found = await Promise.all(ids.map(async (id) => store.deliveries({ id, limit: 1 })))
  return found.flat()
}

function quiet(config: Config): Pick<ServiceOptions, 'config' | 'log' | 'random' | 'progress' | 'patience'> {
  const log = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
  return { config, log, random: Math.random, progress: () => undefined, patience: ENDLESS_PATIENCE }
}
