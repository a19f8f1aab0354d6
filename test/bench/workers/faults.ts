import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { PostgresServer } from '../../support/postgres-server.ts'
import type { Post } from './crew.ts'

/** Within this another worker has taken over; the aim is two thirds of it. */
const TAKEOVER_MS = 30_000
/** What a worker gives back, another takes at its next look; and when it has started again, it gets its part back. */
const HANDOVER_MS = 10_000
const STOPPED_MS = 40_000
const SILENT_MS = 35_000
const AWAY_MS = 20_000
const DEAD_MS = 25_000
const CUTS = 20
const SWALLOWED = 8

export interface Fault {
  readonly name: string
  /** Resolves once it is over. */
  readonly happen: () => Promise<void>
  /** How long an account may stay unread, at most. */
  readonly barMs: number
}

export interface Scene {
  readonly posts: readonly [Post, Post, Post]
  readonly server: PostgresServer
  /** Follows the server; null: there are no binaries that copy one. */
  readonly standby: PostgresServer | null
}

/** All that happens to the workers, in this order. */
export function faultsOf({ posts, server, standby }: Scene): readonly Fault[] {
  const [one, two, three] = posts
  const promotion = {
    name: 'the server crashes, its standby is promoted',
    happen: async () => void (standby !== null && (await promoted(standby, { posts, server }))),
    barMs: TAKEOVER_MS,
  }
  return [
    { name: 'SIGKILL', happen: async () => await killed(one), barMs: TAKEOVER_MS },
    { name: 'SIGTERM and a start', happen: async () => await replaced(two), barMs: HANDOVER_MS },
    { name: 'SIGSTOP for 40 s', happen: async () => await three.stopFor(STOPPED_MS), barMs: TAKEOVER_MS },
    { name: `every connection cut, ${CUTS} times`, happen: async () => await cut(posts), barMs: TAKEOVER_MS },
    {
      name: `${SWALLOWED} answers to COMMIT swallowed by each`,
      happen: async () => await swallowed(posts),
      barMs: TAKEOVER_MS,
    },
    { name: 'black hole of one for 35 s', happen: async () => await blackHole(two), barMs: TAKEOVER_MS },
    { name: 'an immediate restart', happen: async () => await restarted(server), barMs: TAKEOVER_MS },
    { name: 'the database away for 20 s', happen: async () => await away(posts), barMs: AWAY_MS + TAKEOVER_MS },
    ...(standby === null ? [] : [promotion]),
    {
      name: 'two killed at once',
      happen: async () => void (await Promise.all([killed(one), killed(three)])),
      barMs: TAKEOVER_MS,
    },
  ]
}

async function killed(post: Post): Promise<void> {
  await post.end('SIGKILL')
  await delay(DEAD_MS)
  await post.start()
}

async function replaced(post: Post): Promise<void> {
  const code = await post.end('SIGTERM')
  if (code !== 0) throw new Error(`a worker ended with ${code}: ${post.log.slice(-1_000)}`)
  await post.start()
}

async function cut(posts: Scene['posts']): Promise<void> {
  for (let nth = 0; nth < CUTS; nth += 1) {
    for (const { proxy } of posts) proxy.cut()
    await delay(300)
  }
}

async function swallowed(posts: Scene['posts']): Promise<void> {
  for (const { proxy } of posts) {
    proxy.faults.push(...Array.from({ length: SWALLOWED }, () => ({ swallowsCommit: true }) as const))
    proxy.cut()
  }
  await delay(5_000)
}

async function blackHole({ proxy }: Post): Promise<void> {
  proxy.isBlackHole = true
  await delay(SILENT_MS)
  proxy.isBlackHole = false
  proxy.cut()
}

async function restarted(server: PostgresServer): Promise<void> {
  await server.stop('SIGQUIT')
  await server.start()
}

async function away(posts: Scene['posts']): Promise<void> {
  for (const { proxy } of posts) {
    proxy.isAway = true
    proxy.cut()
  }
  await delay(AWAY_MS)
  for (const { proxy } of posts) proxy.isAway = false
}

/** Commits of reads wait for the standby, as they must where nothing may be lost. */
export async function follows(server: PostgresServer): Promise<PostgresServer> {
  const standby = await server.standby()
  await execute(server, `ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await execute(server, 'SELECT pg_reload_conf()')
  return standby
}

async function promoted(standby: PostgresServer, { posts, server }: Pick<Scene, 'posts' | 'server'>): Promise<void> {
  await server.stop('SIGQUIT')
  await execute(standby, 'SELECT pg_promote()')
  for (const { proxy } of posts) {
    proxy.target = standby.url()
    proxy.cut()
  }
}

async function execute(server: PostgresServer, sql: string): Promise<void> {
  const client = new Client({ connectionString: server.url() })
  await client.connect()
  await client.query(sql)
  await client.end()
}
