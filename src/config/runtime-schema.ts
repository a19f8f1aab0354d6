import { z } from 'zod'
import { network } from './addresses.ts'
import { eventPatterns } from './event-patterns.ts'
import { isLiteralHost } from './host-patterns.ts'
import { issueOf } from './schema-parts.ts'
import { count, duration, filledList, list, text } from './values.ts'

const KEY = 'must be 32 bytes in base64, such as `openssl rand -base64 32` prints'

/** The key of AES-256-GCM. A message about it never shows it. */
const key = z.string(KEY).refine((written) => {
  const bytes = Buffer.from(written, 'base64')
  return bytes.length === 32 && bytes.toString('base64').replace(/=+$/, '') === written.replace(/=+$/, '')
}, KEY)

const HOST = 'must list host names such as erp.example.com, patterns such as "*.example.com", or addresses'

const MOST = 100

const bounds = z.strictObject({
  events: eventPatterns.optional().describe('The events that may be asked for; all but service events by default.'),
  accounts: filledList(text, '[acme]').optional().describe('The accounts whose events are sent; all by default.'),
  hosts: filledList(z.string(HOST).refine(isLiteralHost, HOST), '["*.example.com"]')
    .optional()
    .describe('The hosts that may be named: exact, or `*.` and a domain, which is not among them; all by default.'),
  networks: list(network, '[10.0.0.0/8]')
    .prefault([])
    .describe('Private and loopback networks that may be dialled for them, where http will do; none by default.'),
})

/** `runtime_subscriptions`. */
export const runtimeSubscriptions = z
  .strictObject({
    key: key
      .optional()
      .describe('Required: 32 bytes in base64, which addresses, headers and secrets are encrypted with.'),
    max: count.prefault(MOST).describe('How many there may be.'),
    allow: bounds.prefault({}).describe('What may be asked for.'),
    ttl: duration(0)
      .prefault('0s')
      .describe('One that is not changed for so long is disabled, and ends after as long again; `0s`: never.'),
  })
  .superRefine((keys, context) => {
    if (keys.key !== undefined || isEmpty(keys)) return
    context.addIssue(issueOf('is missing in `runtime_subscriptions`', { key: 'key', rule: true }))
  })

/** An empty section is none. */
function isEmpty({ allow, max, ttl }: Readonly<{ allow: z.output<typeof bounds>; max: number; ttl: number }>): boolean {
  const { accounts, events, hosts, networks } = allow
  return (
    [accounts, events, hosts].every((each) => each === undefined) && networks.length === 0 && max === MOST && ttl === 0
  )
}

export type RuntimeKeys = z.output<typeof runtimeSubscriptions>

/** What a file says of subscriptions made at run time. */
export interface RuntimeSettings {
  /** 32 bytes in base64. */
  readonly key: string
  readonly most: number
  readonly allow: RuntimeBounds
  /** Milliseconds; 0: for ever. */
  readonly ttlMs: number
}

export interface RuntimeBounds {
  readonly events: readonly string[]
  /** Null: all. */
  readonly accounts: readonly string[] | null
  /** Null: all. */
  readonly hosts: readonly string[] | null
  readonly networks: readonly string[]
}

export function runtimeSettingsOf(keys: RuntimeKeys | undefined): RuntimeSettings | null {
  if (keys?.key === undefined) return null
  const { accounts = null, events = ['*'], hosts = null, networks } = keys.allow
  return { key: keys.key, most: keys.max, allow: { accounts, events, hosts, networks }, ttlMs: keys.ttl }
}
