import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Subscription } from '../../src/model/subscription.ts'
import { subscription } from '../support/subscription.ts'
import { webhookChannel } from '../support/webhook-channel.ts'
import { compareFleets, Fleet } from './fleet.ts'
import { startPeer } from './start-peer.ts'

const ENDPOINTS = 50
const ODD_ONE = 'endpoint 0'
const ROUNDS = 50
const RETRY_MS = [500, 1_000, 2_000]
const SECRET = `whsec_${Buffer.from('a benchmark secret of 32 bytes !').toString('base64')}`

/**
 * Fifty endpoints hear every event; once all answer, once one of them hangs and gathers a backlog. Compares how long events
 * take to the other forty-nine, from commit to settled.
 */
export async function benchIsolation(): Promise<string> {
  using peer = await startPeer(0)
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-bench-'))
  const open = (name: string, oddUrl: string): Fleet =>
    new Fleet({
      file: `${folder}/${name}.db`,
      subscriptions: subscriptions(`${peer.url}/`, oddUrl),
      odd: new Set([ODD_ONE]),
      retryMs: RETRY_MS,
    })
  try {
    await using healthy = open('healthy', `${peer.url}/`)
    await using hanging = open('hanging', `${peer.url}/hang`)
    const { without, beside, ratio } = await compareFleets(healthy, hanging, ROUNDS)
    return (
      `isolation, p99 of ${ENDPOINTS - 1} healthy endpoints in ${ROUNDS} rounds: ${beside.toFixed(1)} ms with one that ` +
      `hangs (${await hanging.backlog()} behind it), ${without.toFixed(1)} ms without: ${ratio.toFixed(2)}×`
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One of them lives at a URL of its own. */
function subscriptions(url: string, oddUrl: string): readonly Subscription[] {
  return Array.from({ length: ENDPOINTS }, (_, n) => `endpoint ${n}`).map((name) =>
    name === ODD_ONE ? subscriptionTo(name, oddUrl, 400) : subscriptionTo(name, url, 15_000),
  )
}

function subscriptionTo(name: string, url: string, timeoutMs: number): Subscription {
  const channel = webhookChannel({ url, secrets: [SECRET], timeoutMs })
  return subscription(name, { channel })
}
