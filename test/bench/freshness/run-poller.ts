import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLogger } from '../../../src/log.ts'
import type { AccountSettings } from '../../../src/model/account.ts'
import { field, type Json } from '../../../src/model/json.ts'
import { interfaceFields } from '../../../src/platform/schemas.ts'
import { AccountPoller } from '../../../src/poll/account-poller.ts'
import { Committer } from '../../../src/poll/committer.ts'
import { ENDLESS_PATIENCE } from '../../../src/poll/requests/account-client.ts'
import type { Limiter } from '../../../src/poll/requests/limiter.ts'
import { type Tenant, tenantOf } from '../../../src/poll/requests/tenant.ts'
import { randomOf } from '../../../src/sandbox/random.ts'
import type { Store } from '../../../src/store/ports/store.ts'
import { openStore } from '../../../src/store/file/open-store.ts'
import { BUDGET, EVERY } from './budget.ts'
import { EventClock } from './event-clock.ts'
import type { Scenario } from './scenario.ts'
import { Sightings } from './sightings.ts'
import { ScenarioPlatform, type Asked } from './scenario-platform.ts'
import { SECOND } from './time.ts'
import { watchedStore } from './watched-store.ts'

export interface PollerRun {
  readonly sightings: Sightings
  /** Since the start of the scenario. */
  readonly asked: readonly Asked[]
  /** When each complete pass over the list began. */
  readonly passes: readonly number[]
}

export const ACCOUNT: AccountSettings = {
  name: 'bench',
  baseUrl: 'https://platform.invalid',
  apiKey: 'bench',
  timeZone: 'UTC',
  budget: BUDGET,
  timeoutMs: 30 * SECOND,
  settleMs: 0,
  firstPoll: 'baseline',
  shipmentIdField: null,
  watch: {
    shipments: { everyMs: EVERY.list, ignore: [], milestoneGraceMs: 24 * 3_600 * SECOND },
    tracking: { everyMs: EVERY.tracking, ignore: [], positions: false },
  },
}

/** Enough to read everything at once: what happened before the start is not what is measured. */
const AT_LEISURE: AccountSettings = {
  ...ACCOUNT,
  budget: { requests: 1_000_000, perMs: SECOND, concurrency: 1, share: 1 },
}

/** The real poller and store on a simulated clock: a baseline of the account at `baselineAt`, then a daemon from the start on. */
export async function runPoller(scenario: Scenario): Promise<PollerRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-freshness-'))
  try {
    await using store = openStore({ path: path.join(folder, 'shipbell.db') })
    await readBaseline(scenario, store)
    const clock = new EventClock(scenario.startAt)
    const sightings = new Sightings(scenario)
    const asked: Asked[] = []
    const platform = new ScenarioPlatform({ clock, scenario, sightings, note: (each) => void asked.push(each) })
    const stopping = new AbortController()
    const passes: number[] = []
    const render = (line: string): void => void passes.push(...passesOf(line, clock.now()))
    const running = pollerOf({ account: ACCOUNT, clock, platform, store, render }).run(stopping.signal)
    await clock.run(scenario.endAt)
    stopping.abort()
    await clock.run(scenario.endAt)
    await running
    sightings.end()
    return { sightings, asked, passes }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** When the complete pass began that a line of the log tells of at `now`; none where it tells of something else. */
function passesOf(line: string, now: number): readonly number[] {
  const said: Json = JSON.parse(line)
  if (field(said, 'msg') !== 'poll.completed' || field(said, 'resource') !== 'shipments') return []
  const duration = field(said, 'duration_ms')
  return field(said, 'complete') === true && typeof duration === 'number' ? [now - duration] : []
}

async function readBaseline(scenario: Scenario, store: Store): Promise<void> {
  const clock = new EventClock(scenario.baselineAt)
  const sightings = new Sightings(scenario)
  const platform = new ScenarioPlatform({ clock, scenario, sightings, note: () => undefined })
  const reading = pollerOf({ account: AT_LEISURE, clock, platform, store }).once(new AbortController().signal)
  await clock.run(scenario.startAt)
  const left = (await reading).find(({ incomplete }) => incomplete !== null)
  if (left !== undefined) throw new Error(`the baseline of ${left.resource} is not whole: ${left.incomplete}`)
}

export interface Wiring {
  readonly account: AccountSettings
  readonly clock: EventClock
  readonly platform: ScenarioPlatform
  readonly store: Store
  /** Given every line of the log; left out: nobody is. */
  readonly render?: (line: string) => void
  /** With whom the account shares its key; left out: with nobody. */
  readonly limiterOf?: (tenant: Tenant) => Limiter
}

/** The poller as the daemon has it, but for the wire. */
export function pollerOf(wiring: Wiring): AccountPoller {
  const { account, clock, limiterOf, platform, store, render = () => undefined } = wiring
  const random = randomOf('freshness', 'poller')
  const watched = watchedStore(store, () => clock.beat())
  const committer = new Committer({ store: watched, clock, subscriptions: () => [], onDeliveries: () => undefined })
  const tenant = tenantOf(account, committer)
  return new AccountPoller({
    account,
    platform,
    committer,
    ...(limiterOf === undefined ? {} : { tenancy: { tenant, limiter: limiterOf(tenant) } }),
    clock,
    random: () => random.next(),
    log: createLogger({ level: 'info', pretty: false, colour: false, secrets: () => [], write: render }),
    progress: () => undefined,
    patience: ENDLESS_PATIENCE,
    fields: interfaceFields(),
  })
}
