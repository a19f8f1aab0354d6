import { SECRET } from '../../support/loopback-receiver.ts'
import { ACCOUNTS, BUSY, OTHERS } from './desk-size.ts'

export const TOKEN = 'token-of-the-bench'

export interface ConfigRequest {
  readonly peer: string
  /** Everything is read at once, and nobody hears of it; otherwise next to nothing is read, but for what the busy account shows. */
  readonly learning: boolean
  readonly tracking?: boolean
  /** The database that has the store; left out: it is a file. */
  readonly database?: string
}

const KINDS = ['shipments', 'invoices'] as const

export function deskConfig({ database, learning, peer, tracking = true }: ConfigRequest): string {
  const watched = [...KINDS, ...(tracking ? ['tracking'] : [])].map((kind) => `${kind}: { every: 6h }`)
  const budget = learning
    ? '{ requests: 1000000, per: 1m, concurrency: 8 }'
    : '{ requests: 30, per: 1m, concurrency: 1 }'
  const quiet = ACCOUNTS.map((name) => account(name, { peer, budget, watched: watched.join(', ') }))
  const busy = account(BUSY, {
    peer,
    budget: '{ requests: 10, per: 1s, concurrency: 1 }',
    watched: 'shipments: { every: 1s }',
  })
  return `accounts:
${[...quiet, ...(learning ? [] : [busy])].join('\n')}
subscriptions:
  erp: ${hook({ peer, more: `accounts: [${ACCOUNTS.join(', ')}]` })}
${OTHERS.map((name) => `  ${name}: ${hook({ peer, more: `accounts: [${ACCOUNTS.join(', ')}]${name === 'off' ? ', enabled: false' : ''}` })}`).join('\n')}
${learning ? '' : `  live: ${hook({ peer, more: `accounts: [${BUSY}], concurrency: 8` })}`}
delivery: { allow_networks: [127.0.0.0/8] }
retention: { payloads: 90d }
storage: { ${database === undefined ? 'path: shipbell.db' : `url: "${database}"`} }
http: { listen: "127.0.0.1:0", token: ${TOKEN} }
log: { level: ${learning ? 'warn' : 'info'} }
`
}

function account(name: string, { budget, peer, watched }: { peer: string; budget: string; watched: string }): string {
  return `  ${name}:
    base_url: ${peer}/${name}
    api_key: bench-${name}
    budget: ${budget}
    watch: { ${watched} }`
}

function hook({ more, peer }: { readonly peer: string; readonly more: string }): string {
  return `{ url: "${peer}/hook", secret: ${SECRET}, events: ["*"], ${more} }`
}
