import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '../../src/clock.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import { NameResolver } from '../../src/http/names/name-resolver.ts'
import { LoopbackDns } from '../support/loopback-dns.ts'
import { subscription } from '../support/subscription.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { compareFleets, Fleet } from './fleet.ts'
import { startPeer } from './start-peer.ts'

const EACH = 20
const ROUNDS = 50
/** The beginning of the default schedule. */
const RETRY_MS = [5_000, 300_000]
const FOUND = Array.from({ length: EACH }, (_, n) => `found${n}.example`)
const OTHERS = Array.from({ length: EACH }, (_, n) => `other${n}.example`)
const DEAD = Array.from({ length: EACH }, (_, n) => `dead${n}.example`)
const SECRET = `whsec_${Buffer.from('a benchmark secret of 32 bytes !').toString('base64')}`

/**
 * Forty endpoints hear every event, each by a name of its own, over a new connection for each; once all are found, once
 * nobody answers for twenty of the names. Compares how long events take to the other twenty, from commit to settled.
 */
export async function benchNames(): Promise<string> {
  using peer = await startPeer(0)
  await using dns = await LoopbackDns.start()
  for (const host of [...FOUND, ...OTHERS]) dns.zone.set(host, ['127.0.0.1'])
  for (const host of DEAD) dns.silent.add(host)
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-bench-'))
  const { port } = new URL(peer.url)
  const open = (name: string, odd: readonly string[]): Fleet =>
    new Fleet({
      file: `${folder}/${name}.db`,
      subscriptions: [...odd, ...FOUND].map((host) => subscriptionTo(host, `http://${host}:${port}/close`)),
      odd: new Set(odd),
      retryMs: RETRY_MS,
      resolve: resolverOf(dns).resolve,
    })
  try {
    await using healthy = open('healthy', OTHERS)
    await using mixed = open('mixed', DEAD)
    const { without, beside, ratio } = await compareFleets(healthy, mixed, ROUNDS)
    return (
      `names, p99 of ${EACH} endpoints in ${ROUNDS} rounds: ${beside.toFixed(1)} ms beside ${EACH} whose names ` +
      `hang (${await mixed.backlog()} behind them), ${without.toFixed(1)} ms without: ${ratio.toFixed(2)}× (bar: 1.3×)`
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function resolverOf({ server }: LoopbackDns): NameResolver {
  return new NameResolver({
    clock: systemClock,
    hosts: '/dev/null',
    resolvConf: '/dev/null',
    servers: [server],
    hasIpv6: () => false,
  })
}

function subscriptionTo(name: string, url: string): Subscription {
  return subscription(name, { channel: webhookChannel({ url, secrets: [SECRET] }) })
}
