import { SECRET } from '../../support/loopback-receiver.ts'

export interface SoakUrls {
  readonly platform: string
  readonly receivers: string
  readonly tls: string
  /** A name whose server never answers, where the machine has one. */
  readonly hangingName: string | null
}

/** The path of which every event is waited for. */
export const COUNTED = '/answers'

/** The configuration; every other reload brings some subscriptions and takes them away again. */
export function soakConfig(urls: SoakUrls, reload: number): string {
  const { receivers, tls, platform } = urls
  const always = {
    answers: hook(`${receivers}${COUNTED}`),
    ordered: hook(`${receivers}/ordered`, 'order: subject'),
    closes: hook(`${receivers}/closes`),
    hangs_up: hook(`${receivers}/hangs-up`),
    tls_hangs_up: hook(`${tls}/hangs-up`, 'tls: { ca: ca.pem }'),
    refuses: hook('http://127.0.0.1:1/'),
    fails: hook(`${receivers}/fails`, RARE),
    hangs: hook(`${receivers}/hangs`, RARE),
    dead_name: hook('http://soak.invalid/', RARE),
    ...(urls.hangingName !== null && { hanging_name: hook(`http://${urls.hangingName}/`, RARE) }),
  }
  const sometimes = {
    guest: hook(`${receivers}/guest`),
    guest_tls: hook(`${tls}/guest`, 'tls: { ca: ca.pem }'),
    guest_refuses: hook('http://127.0.0.1:1/guest'),
  }
  const all: Readonly<Record<string, string>> = { ...always, ...(reload % 2 === 1 && sometimes) }
  return `accounts:
  acme:
    base_url: ${platform}
    api_key: soak
    budget: { requests: 20, per: 1s, concurrency: 4 }
    watch: { shipments: { every: 1s }, invoices: { every: 5s } }
subscriptions:
${Object.entries(all)
  .map(([name, keys]) => `  ${name}: { ${keys} }`)
  .join('\n')}
delivery: { allow_networks: [127.0.0.0/8], retry: [500ms] }
retention: { payloads: 30s }
http: { listen: "127.0.0.1:0" }
log: { level: error }
`
}

/** For what takes long: one event in 25. */
const RARE = 'events: [shipment.invoice_status_changed]'

function hook(url: string, more = ''): string {
  const events = more.includes('events:') ? [] : ['events: ["shipment.*"]']
  return [`url: "${url}", secret: ${SECRET}, timeout: 1s`, ...events, ...(more === '' ? [] : [more])].join(', ')
}
