import { createServer, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { field, type Json, textField } from '../../../src/model/json.ts'
import { newSnapshotRun } from '../../../src/model/snapshot-run.ts'
import { randomOf } from '../../../src/sandbox/random.ts'
import { openStore } from '../../../src/store/file/open-store.ts'
import { API_KEY } from '../../support/loopback-platform.ts'
import { SECRET } from '../../support/loopback-receiver.ts'
import { listening } from '../soak/listening.ts'
import { Daemons, until } from './daemons.ts'

export interface FullOptions {
  readonly seed: number
  readonly records: number
  readonly kills: number
  readonly changesPerSecond: number
}

export interface FullReport {
  readonly problems: readonly string[]
  readonly snapshots: number
  readonly repeats: number
  readonly changes: number
  readonly kills: number
  /** How long after an event was made it reached the neighbour, at the 99th percentile: before the run, and during it. */
  readonly p99Ms: { readonly before: number; readonly during: number }
  readonly seconds: number
}

const PAGE = 100
const MOST_PROBLEMS = 10
const QUIET_MS = 10_000
/** What comes while a daemon starts says nothing of how long the neighbour waits. */
const STARTS_MS = 8_000

/** One list of shipments, some of which move all the time. */
class WovenPlatform implements AsyncDisposable {
  readonly #server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(this.#answer(request))
  })
  readonly names: number[]
  readonly #pages = new Map<number, string>()
  /** Requests for anything but pages of the list. */
  readonly others: string[] = []
  url = ''

  constructor(records: number) {
    this.names = Array.from({ length: records }, () => 0)
  }

  async start(): Promise<void> {
    this.url = await listening(this.#server)
  }

  move(nth: number): void {
    this.names[nth] = this.nameOf(nth) + 1
    this.#pages.delete(Math.floor(nth / PAGE))
  }

  nameOf(nth: number): number {
    return this.names[nth] ?? 0
  }

  #answer(request: IncomingMessage): string {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (!pathname.endsWith('/v1/shipments')) this.others.push(pathname)
    const skip = Number(searchParams.get('skip'))
    const at = skip / PAGE
    const page = this.#pages.get(at) ?? JSON.stringify(this.names.slice(skip, skip + PAGE).map(recordOf(skip)))
    if (Number.isInteger(at)) this.#pages.set(at, page)
    return page
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

function recordOf(skip: number) {
  return (name: number, nth: number) => ({
    platform_shipment_id: idOf(skip + nth),
    name: `name ${name}`,
    status: 'in_progress',
    freight_mode: 'ocean',
  })
}

function idOf(nth: number): string {
  return `SHP-${String(nth).padStart(6, '0')}`
}

interface Held {
  readonly version: number
  readonly position: number
  readonly name: Json | undefined
}

/** Keeps the newest version of each subject, of equal ones the one with the higher position. */
class NewestReceiver implements AsyncDisposable {
  readonly #server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      this.#take(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(200).end()
    })
  })
  readonly held = new Map<string, Held>()
  readonly ids = new Map<string, string>()
  readonly waits: { readonly at: number; readonly ms: number }[] = []
  readonly problems: string[] = []
  repeats = 0
  url = ''

  async start(): Promise<void> {
    this.url = await listening(this.#server)
  }

  #take(payload: Json): void {
    const now = Date.now()
    const [subject, data] = [field(payload, 'subject'), field(payload, 'data')]
    const [id, version] = [textField(subject, 'id') ?? '', Number(field(subject, 'version'))]
    const [event, type] = [textField(payload, 'id') ?? '', field(payload, 'type')]
    if (field(subject, 'resource') !== 'shipment') return
    if (type === 'shipment.snapshot') this.#snapshot(id, event)
    else this.waits.push({ at: now, ms: now - Date.parse(textField(payload, 'timestamp') ?? '') })
    const position = Number(field(field(payload, 'delivery'), 'position'))
    const known = this.held.get(id) ?? { version: -1, position: 0 }
    const isNewer = version > known.version || (version === known.version && position > known.position)
    if (isNewer) this.held.set(id, { version, position, name: field(field(data, 'object'), 'name') })
  }

  #snapshot(id: string, event: string): void {
    const before = this.ids.get(id)
    if (before === event) this.repeats += 1
    else if (before !== undefined) this.problems.push(`${id} was sent twice, as ${before} and ${event}`)
    this.ids.set(id, event)
  }

  p99(from: number, to: number, without: readonly number[]): number {
    const own = this.waits.filter(
      ({ at }) => at >= from && at < to && without.every((start) => at < start || at > start + STARTS_MS),
    )
    const sorted = own.map(({ ms }) => ms).toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

/** A subscription is sent every record while some change all the time, and the daemon is killed. */
export async function startFull({ changesPerSecond, kills, records, seed }: FullOptions): Promise<FullReport> {
  await using stack = new AsyncDisposableStack()
  const daemons = stack.use(new Daemons(1))
  const platform = stack.use(new WovenPlatform(records))
  const [late, neighbour] = [stack.use(new NewestReceiver()), stack.use(new NewestReceiver())]
  await Promise.all([platform.start(), late.start(), neighbour.start()])
  daemons.configure(configuration(platform.url, { late: late.url, neighbour: neighbour.url }))
  const startedAt = performance.now()
  await daemons.start(0)
  const store = path.join(daemons.works[0]?.folder ?? '', 'shipbell.db')
  await baselined(store, daemons)
  const random = randomOf('moves', seed)
  const moving = new Moving(platform, () => random.whole(0, records - 1), changesPerSecond)
  await delay(QUIET_MS)
  const begunAt = Date.now()
  {
    await using own = openStore({ path: store })
    await own.beginSnapshot(newSnapshotRun('late', begunAt))
  }
  const starts: number[] = []
  for (let nth = 1; nth <= kills; nth += 1) {
    const due = Math.floor((records * nth) / (kills + 1))
    await until(
      () => late.ids.size >= due,
      () => `${late.ids.size} of ${due} came: ${daemons.said.slice(-2_000)}`,
      1_200_000,
    )
    await daemons.kill(0)
    starts.push(Date.now())
    await daemons.start(0)
  }
  await until(
    () => late.ids.size >= records,
    () => `${late.ids.size} came: ${daemons.said.slice(-2_000)}`,
    1_200_000,
  )
  const endedAt = Date.now()
  const changes = moving.stop()
  const differing = (): readonly number[] =>
    platform.names.flatMap((name, nth) => (late.held.get(idOf(nth))?.name === `name ${name}` ? [] : nth))
  const problems: string[] = []
  await until(
    () => differing().length === 0,
    () => `${differing().length} differ`,
  ).catch((error: unknown) => problems.push(String(error)))
  problems.push(...late.problems, ...platform.others.map((each) => `${each} was asked for`))
  if (neighbour.ids.size > 0) problems.push(`the neighbour was sent ${neighbour.ids.size} snapshots`)
  await daemons.stopAll()
  return {
    problems: problems.slice(0, MOST_PROBLEMS),
    snapshots: late.ids.size,
    repeats: late.repeats,
    changes,
    kills: daemons.kills,
    p99Ms: { before: neighbour.p99(0, begunAt, []), during: neighbour.p99(begunAt, endedAt, starts) },
    seconds: (performance.now() - startedAt) / 1_000,
  }
}

async function baselined(store: string, daemons: Daemons): Promise<void> {
  for (const end = performance.now() + 600_000; ; await delay(200)) {
    await using own = openStore({ path: store })
    if ((await own.listState('acme', 'shipment')).baselinedAt !== null) return
    if (performance.now() > end) throw new Error(`nothing is learnt: ${daemons.said.slice(-2_000)}`)
  }
}

/** Moves some records every tenth of a second, until it is stopped. */
class Moving {
  readonly #timer: NodeJS.Timeout
  #changes = 0

  constructor(platform: WovenPlatform, which: () => number, perSecond: number) {
    this.#timer = setInterval(() => {
      for (let nth = 0; nth < perSecond / 10; nth += 1) platform.move(which())
      this.#changes += perSecond / 10
    }, 100)
  }

  stop(): number {
    clearInterval(this.#timer)
    return this.#changes
  }
}

function subscription(url: string): string {
  return `{ url: "${url}", secret: ${SECRET}, events: ["shipment.*"] }`
}

function configuration(platform: string, urls: Readonly<Record<'late' | 'neighbour', string>>): string {
  return `accounts:
  acme: { base_url: "${platform}", api_key: ${API_KEY}, budget: { requests: 1000, per: 1s, concurrency: 4 }, audit: false, watch: { shipments: { every: 5s } } }
subscriptions:
  late: ${subscription(urls.late)}
  neighbour: ${subscription(urls.neighbour)}
delivery: { allow_networks: [127.0.0.0/8], retry: [200ms, 1s, 1s, 1s, 1s] }
http: { listen: "127.0.0.1:0" }
log: { level: info }
`
}

/** For people. */
export function describeFull(report: FullReport): string {
  const { changes, kills, p99Ms, problems, repeats, seconds, snapshots } = report
  return [
    `${snapshots} records sent once (${repeats} repeats under one id) beside ${changes} changes, ${kills} kills: ` +
      `${problems.length === 0 ? 'the receiver equals the platform' : 'PROBLEMS'}; the neighbour's p99 ${p99Ms.before} ms before, ` +
      `${p99Ms.during} ms meanwhile; ${seconds.toFixed(0)} s`,
    ...problems,
  ].join('\n  ')
}
