import { setTimeout as delay } from 'node:timers/promises'
import { BUDGET, PLACES, Yard } from '../../pipeline/yard.ts'
import { PostgresServer } from '../../support/postgres-server.ts'
import { hasFaketime, openCrew, type Post } from './crew.ts'

const ACCOUNTS = ['a', 'b', 'c', 'd', 'e', 'f']
const CHANGE_EVERY_MS = 100
const SETTLES_WITHIN_MS = 60_000
/** After each fault, so that the next one finds everything at its place. */
const PAUSE_MS = 10_000

interface Fault {
  readonly name: string
  /** Resolves once it is over. */
  readonly happen: () => Promise<void>
}

/** Three real workers on one PostgreSQL, through one fault after the other, while shipments change all along. */
export async function benchWorkers(): Promise<string> {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await PostgresServer.start({ durable: true }))
  const yard = stack.use(await Yard.open({ accounts: ACCOUNTS, shipments: 10, every: '200ms' }))
  const posts = await openCrew(yard, server.url(), stack)
  await until(() => yard.baselined === ACCOUNTS.length)
  await delay(PAUSE_MS)
  const changing = new AbortController()
  const changes = change(yard, changing.signal)
  const lines: string[] = []
  for (const { happen, name } of faultsOf(posts, server)) {
    const from = performance.now()
    await happen()
    await delay(PAUSE_MS)
    lines.push(`  ${name}: no account unread for longer than ${seconds(longestGap(yard, from))}`)
  }
  changing.abort()
  const made = await changes
  await until(() => yard.missing.length === 0).catch(() => undefined)
  const { changes: heard, faults, missing, mostUnderWay, mostWithinWindow } = yard
  const ids = new Set(heard.map(({ id }) => id))
  return [
    `workers: ${posts.length} on one PostgreSQL, clocks ${hasFaketime() ? 'an hour apart' : 'alike (no libfaketime)'}, ${made} changes`,
    ...lines,
    `  ${ids.size} events, ${heard.length - ids.size} repeated under their id; last states that did not arrive: ${missing.length}; faults: ${faults.length}`,
    ...faults.slice(0, 5).map((fault) => `    ${fault}`),
    `  requests within a window of a budget of ${BUDGET.requests}: at most ${mostWithinWindow} (bar ${BUDGET.requests + BUDGET.concurrency})`,
    `  attempts at the receiver at once, of ${PLACES} places: at most ${mostUnderWay}`,
  ].join('\n')
}

function faultsOf(posts: readonly Post[], server: PostgresServer): readonly Fault[] {
  const [one, two, three] = posts
  if (one === undefined || two === undefined || three === undefined) throw new Error('three were started')
  return [
    { name: 'SIGKILL', happen: async () => await killed(one) },
    { name: 'SIGTERM and a start', happen: async () => await replaced(two) },
    { name: 'SIGSTOP for 40 s', happen: async () => await three.stopFor(40_000) },
    { name: 'every connection cut, 20 times', happen: async () => await cut(posts) },
    { name: '8 answers to COMMIT swallowed by each', happen: async () => await swallowed(posts) },
    { name: 'black hole of one for 35 s', happen: async () => await blackHole(two) },
    { name: 'an immediate restart', happen: async () => await restarted(server) },
    { name: 'the database away for 20 s', happen: async () => await away(posts, 20_000) },
    { name: 'two killed at once', happen: async () => void (await Promise.all([killed(one), killed(three)])) },
  ]
}

async function killed(post: Post): Promise<void> {
  await post.end('SIGKILL')
  await delay(25_000)
  await post.start()
}

async function replaced(post: Post): Promise<void> {
  const code = await post.end('SIGTERM')
  if (code !== 0) throw new Error(`a worker ended with ${code}: ${post.log.slice(-1_000)}`)
  await post.start()
}

async function cut(posts: readonly Post[]): Promise<void> {
  for (let nth = 0; nth < 20; nth += 1) {
    for (const { proxy } of posts) proxy.cut()
    await delay(300)
  }
}

async function swallowed(posts: readonly Post[]): Promise<void> {
  for (const { proxy } of posts) {
    proxy.faults.push(...Array.from({ length: 8 }, () => ({ swallowsCommit: true }) as const))
    proxy.cut()
  }
  await delay(5_000)
}

async function blackHole({ proxy }: Post): Promise<void> {
  proxy.isBlackHole = true
  await delay(35_000)
  proxy.isBlackHole = false
  proxy.cut()
}

async function restarted(server: PostgresServer): Promise<void> {
  await server.stop('SIGQUIT')
  await server.start()
}

async function away(posts: readonly Post[], ms: number): Promise<void> {
  for (const { proxy } of posts) {
    proxy.isAway = true
    proxy.cut()
  }
  await delay(ms)
  for (const { proxy } of posts) proxy.isAway = false
}

/** Resolves to how many changes there were. */
async function change(yard: Yard, signal: AbortSignal): Promise<number> {
  const { ids } = yard
  let made = 0
  for (; !signal.aborted; made += 1) {
    // Each in turn, far from the one before.
    yard.change(ids[(made * 7) % ids.length] ?? '')
    await delay(CHANGE_EVERY_MS)
  }
  return made
}

/** How long an account was not asked for, at most, since then. */
function longestGap(yard: Yard, from: number): number {
  const now = performance.now()
  const gaps = [...yard.platforms.values()].flatMap(({ times }) => {
    const own = [from, ...times.filter((at) => at > from), now]
    return own.slice(1).map((at, nth) => at - (own[nth] ?? at))
  })
  return Math.max(...gaps)
}

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + SETTLES_WITHIN_MS
  while (!isSo()) {
    if (performance.now() > end) throw new Error('it did not happen within a minute')
    await delay(50)
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
