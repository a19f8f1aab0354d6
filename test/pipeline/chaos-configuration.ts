import { API_KEY } from '../support/loopback-platform.ts'
import { SECRET } from '../support/loopback-receiver.ts'
import type { Faults } from './faulty-receiver.ts'

export interface ChaosOptions {
  readonly seed: number
  readonly events: number
  readonly subjects: number
  /** How often the process is killed, at moments drawn from the seed. */
  readonly kills: number
  readonly faults: Faults
  /** Of the events, those that are never taken and end `exhausted`. */
  readonly poison: number
  /** One subscription each; each matches every event. */
  readonly subscriptions: Readonly<Record<string, 'none' | 'subject' | 'disabled'>>
  readonly concurrency: number
  /** Deadline of an attempt. */
  readonly timeout: string
  /** A backup each `everyMs` (or as soon as the last one is made), of which so many are restored. */
  readonly backups?: { readonly everyMs: number; readonly restored: number }
}

export type LogLevel = 'error' | 'info'

/** Enough that only poison exhausts. */
const RETRIES = ['20ms', '50ms', '100ms', '100ms', '100ms', '100ms', '100ms', '100ms', '100ms', '100ms']

/** What `shipbell.yaml` says of the daemon under chaos. */
export function chaosConfiguration(
  { subscriptions, concurrency, timeout }: ChaosOptions,
  urls: { readonly platform: string; readonly receiver: string },
  level: LogLevel,
): string {
  const names = Object.entries(subscriptions)
  return `accounts:
  acme: { base_url: "${urls.platform}", api_key: ${API_KEY}, watch: { invoices: { every: 1h } } }
subscriptions:
${names
  .map(
    ([name, order]) =>
      `  ${name}: { url: "${urls.receiver}/${name}", secret: ${SECRET}, events: ["shipment.*"], timeout: ${timeout}, ` +
      `concurrency: ${concurrency}, ${order === 'disabled' ? 'enabled: false' : `order: ${order}`} }`,
  )
  .join('\n')}
delivery: { allow_networks: [127.0.0.0/8], retry: [${RETRIES.join(', ')}] }
http: false
log: { level: ${level} }
`
}

export function isPoisonOf({ poison }: ChaosOptions): (eventId: string) => boolean {
  return (id) => Number(id.slice('evt_'.length)) < poison
}
