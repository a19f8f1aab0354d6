import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLogger } from '../../src/log.ts'
import type { AccountSettings } from '../../src/model/account.ts'
import type { ShipbellEvent } from '../../src/model/event.ts'
import { field } from '../../src/model/json.ts'
import { createPlatformClient } from '../../src/platform/client.ts'
import { interfaceFields } from '../../src/platform/schemas.ts'
import { AccountPoller } from '../../src/poll/account-poller.ts'
import { Committer } from '../../src/poll/committer.ts'
import { ENDLESS_PATIENCE } from '../../src/poll/requests/account-client.ts'
import type { Delivery } from '../../src/sandbox/data/delivery.ts'
import { firstMidnight } from '../../src/sandbox/data/deliveries-world.ts'
import { startSandbox } from '../../src/sandbox/sandbox.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { FakeClock } from '../support/fake-clock.ts'
import type { Emitted } from './real-deliveries.ts'
import { BOUNDLESS_ACCOUNT } from '../support/boundless-account.ts'
import { eventsOf } from '../support/log-rows.ts'

export interface Replayed {
  readonly passes: number
  /** Every shipment event that is not the calendar's. */
  readonly emitted: readonly Emitted[]
}

/**
 * Deliveries served by the sandbox over HTTP and polled by the real client, detection and store: a baseline before the
 * first day of the data, then one pass at noon of each of `days` (`YYYY-MM-DD`), in order.
 */
export async function replay(deliveries: readonly Delivery[], days: readonly string[]): Promise<Replayed> {
  await using resources = new AsyncDisposableStack()
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-replay-'))
  resources.defer(() => rmSync(folder, { recursive: true, force: true }))
  const clock = new FakeClock(firstMidnight(deliveries))
  const sandbox = resources.use(
    await startSandbox({ port: 0, shipments: 0, speed: 1, seed: '', apiKey: ACCOUNT.apiKey, clock, deliveries }),
  )
  const store = resources.use(openStore({ path: path.join(folder, 'shipbell.db') }))
  const account = { ...ACCOUNT, baseUrl: sandbox.url }
  const platform = resources.use(createPlatformClient({ ...account, concurrency: 1, userAgent: 'replay', clock }))
  const poller = new AccountPoller({
    account,
    platform,
    committer: new Committer({ store, clock, subscriptions: () => [], onDeliveries: () => undefined }),
    clock,
    random: () => 0,
    log: createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined }),
    progress: () => undefined,
    patience: ENDLESS_PATIENCE,
    fields: interfaceFields(),
  })
  await pass(poller)
  for (const day of days) {
    clock.jump(Date.parse(`${day}T12:00:00Z`))
    await pass(poller)
  }
  return { passes: days.length + 1, emitted: (await shipmentEvents(store)).map(toldBy) }
}

async function pass(poller: AccountPoller): Promise<void> {
  for (const { resource, incomplete } of await poller.once(new AbortController().signal)) {
    if (incomplete !== null) throw new Error(`${resource}: ${incomplete}`)
  }
}

async function shipmentEvents(store: Store): Promise<readonly ShipbellEvent[]> {
  const events = await eventsOf(store, { limit: 1_000_000 })
  return events.filter(({ subject, cause }) => subject.resource === 'shipment' && cause !== 'calendar')
}

function toldBy({ type, subject, timestamp, extras }: ShipbellEvent): Emitted {
  const source = Object.hasOwn(extras, 'date_change') ? extras['date_change'] : extras
  const shift = field(source, 'shift_minutes')
  return {
    type,
    shipment: subject.id,
    seen: new Date(timestamp).toISOString().slice(0, 10),
    from: field(source, 'from') ?? null,
    to: field(source, 'to') ?? null,
    shiftMinutes: typeof shift === 'number' ? shift : null,
  }
}

const ACCOUNT: AccountSettings = {
  ...BOUNDLESS_ACCOUNT,
  name: 'replay',
  apiKey: 'replay',
  watch: { shipments: { everyMs: 86_400_000, ignore: [], milestoneGraceMs: 86_400_000 } },
}
