import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Workplace } from '../../support/shipbell.ts'

export interface Many {
  readonly accounts: number
  readonly subscriptions: number
  /** Seconds; left out: 20. */
  readonly everyS?: number
}

const IN_A_FILE = 100
const EVERY_S = 20

export const EVERY_MS = EVERY_S * 1_000

/**
 * A configuration of so many accounts, a key each, and so many subscriptions, in files of a hundred; accounts take turns with
 * subscriptions.
 */
export function configureMany(work: Workplace, url: string, { accounts, everyS = EVERY_S, subscriptions }: Many): void {
  mkdirSync(path.join(work.folder, 'conf.d'), { recursive: true })
  work.write(
    'shipbell.yaml',
    `include: [conf.d/*.yaml]
defaults:
  account: { base_url: "${url}", watch: { shipments: { every: ${everyS}s } } }
  subscription: { events: [shipment.*], secret: whsec_${Buffer.from('a secret that is 32 bytes long!!').toString('base64')} }
delivery: { allow_networks: [127.0.0.0/8] }
storage: { path: shipbell.db }
http: { listen: "127.0.0.1:0", token: the-token-of-this-bench }
log: { level: warn }
`,
  )
  for (let from = 0; from < Math.max(accounts, subscriptions); from += IN_A_FILE) {
    const numbers = Array.from({ length: IN_A_FILE }, (_, n) => from + n)
    const lines = [
      'accounts:',
      ...numbers.filter((n) => n < accounts).map((n) => `  acme-${n}: { api_key: key-of-customer-${n} }`),
      'subscriptions:',
      ...numbers
        .filter((n) => n < subscriptions)
        .map((n) => `  erp-${n}: { url: "${url}/hooks/${n}", accounts: [acme-${n % accounts}] }`),
    ]
    const isWhole = (line: string, index: number): boolean =>
      line.startsWith(' ') || lines[index + 1]?.startsWith(' ') === true
    work.write(`conf.d/${String(from).padStart(5, '0')}.yaml`, `${lines.filter(isWhole).join('\n')}\n`)
  }
}
