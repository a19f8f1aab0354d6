import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../../src/clock.ts'
import { randomOf } from '../../../src/sandbox/random.ts'
import { PostgresServer } from '../../support/postgres-server.ts'
import { Daemons, until } from './daemons.ts'
import { MovingAccounts, type Move } from './moving-accounts.ts'
import { OwnedLife } from './owned-life.ts'
import type { Owner } from './owned-subscription.ts'
import { OwnerDesk } from './owner-desk.ts'
import { OwnedTargets } from './owned-targets.ts'
import { scanAll } from './scan-all.ts'
import { SecretScan } from './secret-scan.ts'

export interface OwnedOptions {
  readonly seed: number
  readonly owners: number
  /** All together; each owner has as many. */
  readonly subscriptions: number
  readonly changes: number
  readonly rounds: number
  readonly kills: number
  /** SQLite with one daemon, or PostgreSQL with two. */
  readonly store: 'sqlite' | 'postgres'
}

export interface OwnedReport {
  readonly problems: readonly string[]
  readonly changes: number
  readonly deliveries: number
  readonly repeats: number
  readonly watermarks: number
  readonly failures: number
  readonly done: Readonly<Record<string, number>>
  readonly kills: number
  readonly secrets: number
  readonly scannedMb: number
  readonly asked: number
  readonly seconds: number
}

const MODES = 'ocean air ocean truck ocean'.split(' ')
const MOVES: readonly Move[] = ['status', { etaHours: 48 }, 'forwarder', { etaHours: 1 }]
const FAILING = 0.03
/** All workers follow within this. */
const FOLLOWED_MS = 2_000
const MOST_PROBLEMS = 12

/** The secrets of whoever runs the daemon. */
interface OwnSecrets {
  readonly admin: string
  readonly viewer: string
  readonly key: string
}

/**
 * Owners make, change and end subscriptions with their tokens while all records move and daemons are killed. What comes at each target
 * is judged, then every byte that the program has written is looked through for their secrets.
 */
export async function owned(options: OwnedOptions): Promise<OwnedReport> {
  await using stack = new AsyncDisposableStack()
  const startedAt = performance.now()
  const daemons = stack.use(new Daemons(options.store === 'postgres' ? 2 : 1))
  const targets = stack.use(await OwnedTargets.start({ seed: options.seed, failing: FAILING }))
  const accounts = Array.from({ length: options.owners }, (_, nth) => `acc${nth}`)
  const shipments = Math.ceil(options.changes / options.rounds / accounts.length)
  const platform = stack.use(await MovingAccounts.start({ accounts, shipments, modes: MODES }))
  const server = options.store === 'postgres' ? stack.use(await PostgresServer.start({ durable: true })) : null
  const storage = server === null ? '{ path: shipbell.db }' : `{ url: "${server.url()}" }`
  const own: OwnSecrets = { admin: token(), viewer: token(), key: randomBytes(32).toString('base64') }
  const owners = accounts.map((first, nth): Owner => {
    const second = accounts[(nth + 1) % accounts.length] ?? first
    return { name: `owner${nth}`, token: token(), accounts: [first, second] }
  })
  const yamlOf = (present: readonly Owner[]): string =>
    configuration({ platform: platform.url, storage, accounts, owners: present, own, most: options.subscriptions })
  daemons.configure(yamlOf(owners))
  await daemons.startAll()
  await until(
    () => accounts.every((name) => learnt(daemons, name)),
    () => `nothing is learnt: ${daemons.said.slice(-2_000)}`,
  )
  const scan = new SecretScan()
  const desk = new OwnerDesk(daemons)
  hideAll(scan, own, owners)
  const life = new OwnedLife({
    ...options,
    daemons,
    desk,
    targets,
    owners,
    admin: own.admin,
    scan,
    yamlOf,
    random: randomOf('owned', options.seed),
  })
  await life.begin()
  const changes = await live(options, { life, daemons, platform, targets })
  await life.end()
  const tokens = [own.admin, own.viewer, ...owners.slice(0, 1).map((owner) => owner.token)]
  const scanned = await scanAll({ scan, desk, daemons, tokens, server })
  const problems = [...targets.problems, ...life.problems, ...scanned.problems, ...new Set(scan.found)]
  return {
    problems: problems.slice(0, MOST_PROBLEMS),
    changes,
    deliveries: targets.taken,
    repeats: targets.repeats,
    watermarks: targets.watermarks,
    failures: targets.failures,
    done: life.done,
    kills: daemons.kills,
    secrets: scan.secrets,
    scannedMb: scan.bytes / 1e6,
    asked: scanned.asked,
    seconds: (performance.now() - startedAt) / 1_000,
  }
}

interface Stage {
  readonly life: OwnedLife
  readonly daemons: Daemons
  readonly platform: MovingAccounts
  readonly targets: OwnedTargets
}

/** Rounds: owners act, all records move, what must come comes; half of the kills come at once after an act, half amidst deliveries. */
async function live(options: OwnedOptions, { daemons, life, platform, targets }: Stage): Promise<number> {
  const { kills, rounds, seed } = options
  const random = randomOf('kills', seed)
  let changes = 0
  for (let round = 0; round < rounds; round += 1) {
    const isKill = Math.floor(((round + 1) * kills) / rounds) > Math.floor((round * kills) / rounds)
    const isAfterActs = isKill && daemons.kills % 2 === 0
    await life.act(round)
    if (isAfterActs) await restart(daemons, random.whole(0, daemons.works.length - 1))
    if (daemons.works.length > 1) await delay(FOLLOWED_MS)
    await life.settle()
    const moved = platform.move((nth) => MOVES[(nth + round) % MOVES.length] ?? 'status', systemClock.now())
    changes += moved.length
    const before = targets.taken
    const part = before + Math.floor(life.take(moved) * random.next() * 0.8)
    await until(
      () => targets.taken >= part,
      () => `round ${round}: ${life.lacking}`,
    )
    await life.leaveUnderWay()
    if (isKill && !isAfterActs) {
      await restart(daemons, random.whole(0, daemons.works.length - 1))
    }
    await until(
      () => life.missing === 0,
      () => `round ${round}: ${life.lacking}, ${daemons.said.slice(-1_000)}`,
    )
  }
  return changes
}

async function restart(daemons: Daemons, which: number): Promise<void> {
  await daemons.kill(which)
  await daemons.start(which)
}

function learnt({ said }: Daemons, account: string): boolean {
  return new RegExp(`"account":"${account}","resource":"shipments","complete":true`).test(said)
}

function hideAll(scan: SecretScan, { admin, key, viewer }: OwnSecrets, owners: readonly Owner[]): void {
  scan.hide('the token that may do everything', admin)
  scan.hide('the token of viewers', viewer)
  scan.hide('the key of what is stored', key)
  scan.hide('the key of the platform', PLATFORM_KEY)
  for (const { name, token: shown } of owners) scan.hide(`the token of ${name}`, shown)
}

function token(): string {
  return `tok-${randomBytes(20).toString('hex')}`
}

const PLATFORM_KEY = `platform-${randomBytes(16).toString('hex')}`

interface Written {
  readonly platform: string
  readonly storage: string
  readonly accounts: readonly string[]
  readonly owners: readonly Owner[]
  readonly own: OwnSecrets
  readonly most: number
}

function configuration({ accounts, most, own, owners, platform, storage }: Written): string {
  const tokens = owners.map(
    ({ accounts: seen, name, token: shown }) =>
      `    ${name}: { token: ${shown}, accounts: [${seen.join(', ')}], role: operator }`,
  )
  const watched = accounts.map(
    (name, nth) =>
      `  ${name}: { base_url: "${platform}/${name}", api_key: ${PLATFORM_KEY}${nth}, budget: { requests: 100, per: 1s }, watch: { shipments: { every: 500ms } } }`,
  )
  return `accounts:
${watched.join('\n')}
subscriptions: {}
delivery: { allow_networks: [], retry: [200ms, ${Array.from({ length: 30 }, () => '1s').join(', ')}] }
storage: ${storage}
http:
  listen: "127.0.0.1:0"
  token: ${own.admin}
  viewer_token: ${own.viewer}
  tokens:
${tokens.join('\n')}
runtime_subscriptions: { key: ${own.key}, max: ${most}, allow: { networks: [127.0.0.0/8] } }
log: { level: debug }
`
}

/** For people. */
export function describeOwned(report: OwnedReport): string {
  const { asked, changes, deliveries, done, failures, kills, problems, repeats, scannedMb, seconds, secrets } = report
  const acts = Object.entries(done).map(([act, times]) => `${times} ${act}`)
  return [
    `${changes} changes, ${deliveries} deliveries (${repeats} repeated, ${failures} attempts refused, ${report.watermarks} watermarks), ${kills} kills; ${acts.join(', ')}; ` +
      `${problems.length === 0 ? 'each at its target and none elsewhere' : 'PROBLEMS'}; ${secrets} secrets looked for in ${scannedMb.toFixed(0)} MB ` +
      `(${asked} pages and answers among it), ${seconds.toFixed(0)} s`,
    ...problems,
  ].join('\n  ')
}
