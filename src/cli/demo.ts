import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { ownClock, type Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { requireConfig } from '../config/load-config.ts'
import { startSandbox } from '../sandbox/sandbox.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { openService } from './open-service.ts'
import { DemoReport } from './demo-report.ts'
import { painter } from './terminal.ts'
import { startReceiver } from './receiver.ts'

const API_KEY = 'demo'
const SECRET = `whsec_${Buffer.from('shipbell-demo-shipbell-demo-1234').toString('base64')}`

/** Fast enough that something rings within seconds, slow enough to read. */
const SPEED = 3_000
const SHIPMENTS = 40
/** A world in whose first two days an invoice falls overdue, an order is at risk and a proof of delivery is missing. */
const WORLD = { shipments: SHIPMENTS, speed: SPEED, seed: '1' } as const

export function demoCommand(context: CommandContext): Command {
  return new Command('demo')
    .description('A sandbox platform, the daemon and a receiver in one: watch events ring within seconds')
    .addOption(configOption().hideHelp())
    .action(async () => {
      await using resources = new AsyncDisposableStack()
      const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-demo-'))
      resources.defer(() => rmSync(folder, { recursive: true, force: true }))
      const { clock, signal, stdout } = context
      const report = new DemoReport({ stream: stdout, paint: painter(context), clock })
      const startAt = mondayBefore(clock.now())
      const sandbox = resources.use(await startSandbox({ ...WORLD, port: 0, startAt, apiKey: API_KEY, clock }))
      const receiver = resources.use(
        await startReceiver({
          port: 0,
          secret: SECRET,
          respond: [],
          clock,
          onDelivery: (delivery) => report.note(delivery),
        }),
      )
      const [token, standingCode] = [randomBytes(24).toString('base64url'), randomBytes(32).toString('base64url')]
      const config = demoConfig(folder, { platform: sandbox.url, receiver: receiver.url, token })
      const simulated: Clock = { ...ownClock(clock), calendarNow: () => sandbox.calendarNow() }
      const demo = { standingCode, simulatedNow: () => sandbox.calendarNow() }
      const how = { command: 'demo', demo, progress: () => undefined }
      const opened = await openService(config, { ...context, clock: simulated }, how)
      const service = resources.use(opened.service)
      const server = await service.serve()
      stdout.write(
        [
          `platform   ${sandbox.url}   ${SHIPMENTS} shipments`,
          `time       simulated: from ${startText(startAt)} on, ${SPEED} times faster than life`,
          `receiver   ${receiver.url}   verifies every signature`,
          `desk       ${server?.url ?? ''}/login/link?code=${standingCode}`,
          'The desk opens signed in. Shipbell learns what is there, then every change rings below. Ctrl-C ends it.',
          '',
          '',
        ].join('\n'),
      )
      await service.run(signal)
      stdout.write(report.summary())
    })
}

const DAY_MS = 86_400_000
/** The first Monday of the Unix epoch, at eight in the morning. */
const MONDAY = 4 * DAY_MS + 8 * 3_600_000

/** Where simulated time begins: whenever the demo is started, the same happens on the same days of the week. */
function mondayBefore(now: number): number {
  return now - ((now - MONDAY) % (7 * DAY_MS))
}

/** `Mon, 23 Nov 2026 08:00 UTC` */
function startText(at: number): string {
  return new Date(at).toUTCString().replace(/:00 GMT$/, ' UTC')
}

function demoConfig(folder: string, urls: { platform: string; receiver: string; token: string }): Config {
  const file = path.join(folder, 'shipbell.yaml')
  const text = `accounts:
  demo:
    base_url: ${urls.platform}
    api_key: ${API_KEY}
    budget: { requests: 30, per: 1s, concurrency: 4 }
    watch:
      shipments: { every: 1s }
      tracking: { every: 15s }
      invoices: { every: 2s }
      documents: { every: 5s }
      purchase_orders: { every: 5s }
subscriptions:
  receiver:
    url: ${urls.receiver}
    secret: ${SECRET}
    events: ["*", "account.*"]
expectations:
  commercial-invoice:
    about: shipment
    when: shipment.status in ["booked", "in_progress"]
    by: before(shipment.main_tracking_dates.arrival_date, "5d")
    until: documents.exists(d, d.type == "commercial_invoice")
  proof-of-delivery:
    about: shipment
    when: shipment.status != "cancelled" && shipment.main_tracking_dates.delivery_date.status == "actual"
    by: after(shipment.main_tracking_dates.delivery_date, "6h")
    until: documents.exists(d, d.type == "proof_of_delivery")
delivery:
  allow_networks: [127.0.0.0/8]
http: { listen: "127.0.0.1:0", token: ${urls.token} }
log: { level: warn }
`
  writeFileSync(file, text)
  return requireConfig(file, { env: {}, cwd: folder })
}
