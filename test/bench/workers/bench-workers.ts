import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { BUDGET, mostWithin, PLACES, Yard } from '../../pipeline/yard.ts'
import { LoopbackReceiver, SECRET } from '../../support/loopback-receiver.ts'
import { PostgresServer } from '../../support/postgres-server.ts'
import { hasFaketime, openCrew } from './crew.ts'
import { faultsOf, follows, type Fault } from './faults.ts'
import { WorldAccount } from './world-account.ts'

const ACCOUNTS = ['a', 'b', 'c', 'd', 'e', 'f']
const WORLDS = ['north', 'south', 'west']
/** Debian's: the binaries of npm cannot copy a server. */
const BIN = '/usr/lib/postgresql/15/bin'
/** So long that some attempt is under way whenever a worker dies. */
const ANSWERS_AFTER_MS = 100
const CHANGE_EVERY_MS = 100
const LEARNT_WITHIN_MS = 120_000
const SETTLES_WITHIN_MS = 120_000
/** After each fault, so that the next one finds everything at its place. */
const PAUSE_MS = 10_000
const MOST_SHOWN = 10

interface Stage {
  readonly yard: Yard
  readonly worlds: readonly WorldAccount[]
  readonly receiver: LoopbackReceiver
}

/**
 * Three real workers on one PostgreSQL, through one fault after the other, while records change all along. Throws where anything is
 * lost, invented or out of order, an account stays unread for too long, or a budget or `concurrency` is exceeded.
 */
export async function benchWorkers(): Promise<string> {
  await using stack = new AsyncDisposableStack()
  const copies = existsSync(`${BIN}/pg_basebackup`)
  const settings = ['wal_level=replica']
  const server = stack.use(await PostgresServer.start({ durable: true, settings, ...(copies ? { bin: BIN } : {}) }))
  const stage = await openStage(stack)
  const posts = await openCrew(stage.yard, server.url(), stack)
  await until(() => stage.yard.baselined === ACCOUNTS.length && stage.worlds.every((world) => world.isBaselined))
  const standby = copies ? stack.use(await follows(server)) : null
  await delay(PAUSE_MS)
  const over = new AbortController()
  const living = [change(stage.yard, over.signal), ...stage.worlds.map(async (world) => await world.live(over.signal))]
  const lines: string[] = []
  const problems: string[] = []
  for (const fault of faultsOf({ posts, server, standby })) {
    const gapMs = await gapOf(fault, stage)
    lines.push(`  ${fault.name}: no account unread for longer than ${seconds(gapMs)} (bar ${seconds(fault.barMs)})`)
    if (gapMs > fault.barMs) problems.push(`${fault.name}: an account was unread for ${seconds(gapMs)}`)
  }
  over.abort()
  await Promise.all(living)
  await until(() => isSettled(stage), SETTLES_WITHIN_MS).catch(() => undefined)
  const open = await rowsOpen((standby ?? server).url())
  const said = [
    `workers: ${posts.length} on one PostgreSQL, clocks ${hasFaketime() ? 'an hour apart' : 'alike (no libfaketime)'}` +
      (copies ? '' : ', without a standby (no Debian PostgreSQL 15)'),
    ...lines,
    ...describe(stage),
  ].join('\n')
  problems.push(...problemsOf(stage), ...(open === 0 ? [] : [`${open} rows of the ledger are not delivered`]))
  if (problems.length > 0) throw new Error([said, ...problems.slice(0, MOST_SHOWN)].join('\n'))
  return said
}

async function openStage(stack: AsyncDisposableStack): Promise<Stage> {
  const receiver = stack.use(await LoopbackReceiver.start())
  receiver.answer = async () => await delay(ANSWERS_AFTER_MS, 200)
  const worlds: WorldAccount[] = []
  for (const name of WORLDS) worlds.push(stack.use(await WorldAccount.open(name, receiver)))
  const all = `accounts: [${WORLDS.join(', ')}], events: ["*", "account.*"]`
  const beside = {
    accounts: worlds.map(({ yaml }) => yaml),
    subscriptions: [`  world: { url: "${receiver.url}", secret: ${SECRET}, ${all} }`],
  }
  const yard = stack.use(
    await Yard.open({ accounts: ACCOUNTS, shipments: 10, every: '200ms', answersAfterMs: ANSWERS_AFTER_MS, beside }),
  )
  return { yard, worlds, receiver }
}

/** How long an account was not asked for, at most, from the fault's begin until everything is at its place again. */
async function gapOf({ happen }: Fault, stage: Stage): Promise<number> {
  const from = performance.now()
  await happen()
  await delay(PAUSE_MS)
  const now = performance.now()
  const gaps = timesOf(stage).flatMap((times) => {
    const own = [from, ...times.filter((at) => at > from), now]
    return own.slice(1).map((at, nth) => at - (own[nth] ?? at))
  })
  return Math.max(...gaps)
}

function timesOf({ worlds, yard }: Stage): readonly (readonly number[])[] {
  return [...[...yard.platforms.values()].map(({ times }) => times), ...worlds.map(({ times }) => times)]
}

function isSettled({ worlds, yard }: Stage): boolean {
  return yard.missing.length === 0 && worlds.every((world) => world.isSettled)
}

function describe({ receiver, worlds, yard }: Stage): readonly string[] {
  const ids = new Set(yard.changes.map(({ id }) => id))
  const told = new Set(receiver.received.map(({ id }) => id)).size
  const [expected, turns] = [sumOf(worlds, 'expected'), sumOf(worlds, 'turns')]
  const differences = worlds.map(({ difference }) => difference)
  const missed = differences.reduce((sum, each) => sum + each.missed.length, 0)
  const invented = differences.reduce((sum, each) => sum + each.invented.length, 0)
  const rang = expected - missed + invented
  return [
    `  worlds: ${turns} turns, ${expected} events must ring: recall ${percent(expected - missed, expected)}, precision ${percent(rang - invented, rang)}; ` +
      `${told} came, ${receiver.received.length - told} attempts repeated under their id`,
    `  in order: ${ids.size} events, ${yard.changes.length - ids.size} attempts repeated under their id; last states that did not arrive: ${yard.missing.length}`,
    `  requests within a window of a budget of ${BUDGET.requests}: at most ${mostOf({ yard, worlds, receiver })} (bar ${BUDGET.requests + BUDGET.concurrency})`,
    `  attempts at the receiver at once, of ${PLACES} places: at most ${yard.mostUnderWay}`,
  ]
}

function problemsOf(stage: Stage): readonly string[] {
  const { receiver, worlds, yard } = stage
  const most = mostOf(stage)
  return [
    ...worlds.flatMap(({ difference, faults, name }) => [
      ...difference.missed.map((each) => `${name}: missed ${each}`),
      ...difference.invented.map((each) => `${name}: invented ${each}`),
      ...faults,
    ]),
    ...yard.missing.map((id) => `${id}: its last state did not arrive`),
    ...yard.faults,
    ...receiver.problems,
    ...(most > BUDGET.requests + BUDGET.concurrency ? [`${most} requests within a window`] : []),
    ...(yard.mostUnderWay > PLACES ? [`${yard.mostUnderWay} attempts at once`] : []),
  ]
}

function mostOf(stage: Stage): number {
  return Math.max(...timesOf(stage).map(mostWithin))
}

/** Rows whose outcome nobody has written. */
async function rowsOpen(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const end = performance.now() + SETTLES_WITHIN_MS; ; await delay(500)) {
      const { rows } = await client.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM deliveries WHERE state <> 'delivered'`,
      )
      const open = rows[0]?.open ?? 0
      if (open === 0 || performance.now() > end) return open
    }
  } finally {
    await client.end()
  }
}

async function change(yard: Yard, signal: AbortSignal): Promise<void> {
  const { ids } = yard
  for (let made = 0; !signal.aborted; made += 1) {
    // Each in turn, far from the one before.
    yard.change(ids[(made * 7) % ids.length] ?? '')
    await delay(CHANGE_EVERY_MS)
  }
}

async function until(isSo: () => boolean, withinMs = LEARNT_WITHIN_MS): Promise<void> {
  const end = performance.now() + withinMs
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`it did not happen within ${seconds(withinMs)}`)
    await delay(50)
  }
}

function sumOf(worlds: readonly WorldAccount[], of: 'expected' | 'turns'): number {
  return worlds.reduce((sum, world) => sum + world[of], 0)
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${(100 * (part / whole)).toFixed(part === whole ? 0 : 4)} %`
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
