import type { Clock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { ShipbellError } from '../errors.ts'
import type { RecordResource } from '../model/resource.ts'
import { newSnapshotRun, type SnapshotPart, type SnapshotRefusal } from '../model/snapshot-run.ts'
import { takesSnapshots, type Subscription } from '../model/subscription.ts'
import { readSnapshots } from '../poll/snapshots/read-snapshots.ts'
import { judgeSlice, partsOf } from '../route/snapshot-run.ts'
import type { SnapshotCount } from '../serve/admin-context.ts'
import type { QueryStore } from '../store/ports/query-port.ts'
import type { RecordStore } from '../store/ports/record-port.ts'
import type { SnapshotSource, SnapshotStore } from '../store/ports/snapshot-port.ts'
import { requireConfigured } from './require-endpoint.ts'

/** Few enough that whoever asks for something else hardly waits. */
const LOOKED_AT_ONCE = 100

export interface SnapshotWork {
  readonly store: SnapshotStore & SnapshotSource & Pick<QueryStore, 'endpoints'> & Pick<RecordStore, 'records'>
  readonly clock: Clock
  readonly config: Pick<Config, 'accounts' | 'http' | 'subscriptions'>
}

/** Which records a subscription is to be sent. */
export interface SnapshotChoice {
  readonly subscription: string
  /** The resource of the records; null: all that the subscription hears of. */
  readonly only: RecordResource | null
}

/**
 * How many records a run would send now. Nobody is held up meanwhile. Throws `not_found` where there is no such subscription, `wrong_state`
 * where it takes none.
 */
export async function countSnapshot(work: SnapshotWork, choice: SnapshotChoice): Promise<SnapshotCount> {
  const subscription = await requireTaker(work, choice.subscription)
  const count = { rows: 0, leftOut: 0 }
  for (const part of partsOf(subscription, work.config.accounts, choice.only)) {
    for await (const { leftOut, sent } of judgedSlices(work, subscription, part)) {
      count.rows += sent.length
      count.leftOut += leftOut
    }
  }
  return count
}

async function* judgedSlices({ clock, config, store }: SnapshotWork, subscription: Subscription, part: SnapshotPart) {
  const timeZone = config.accounts.find(({ name }) => name === part.account)?.timeZone ?? 'UTC'
  const how = {
    of: { subscription: subscription.name, run: '' },
    timeZone,
    publicUrl: config.http?.publicUrl ?? null,
    at: clock.now(),
  }
  let after: string | null = null
  do {
    const asked = { ...part, subscription: subscription.name, after, most: LOOKED_AT_ONCE }
    const ids: readonly string[] = (await store.snapshotSlice(asked)).ids
    yield judgeSlice(subscription, await readSnapshots(store, { ...part, ...how, ids }))
    after = ids.length < LOOKED_AT_ONCE ? null : (ids.at(-1) ?? null)
    await clock.sleep(0)
  } while (after !== null)
}

/**
 * Begins a run, which whoever polls sends. Resolves to how many records that are now. Throws as `countSnapshot` does, and `wrong_state` where
 * one is under way.
 */
export async function beginSnapshot(work: SnapshotWork, choice: SnapshotChoice): Promise<number> {
  const { only, subscription } = choice
  if (await isUnderWay(work, subscription)) throw refused(subscription, 'under way')
  const { rows } = await countSnapshot(work, choice)
  const refusal = await work.store.beginSnapshot(newSnapshotRun(subscription, work.clock.now(), only))
  if (refusal !== null) throw refused(subscription, refusal)
  return rows
}

/** Whether a run of a subscription is under way. */
export async function isUnderWay({ store }: Pick<SnapshotWork, 'store'>, subscription: string): Promise<boolean> {
  return (await store.snapshotRuns({ which: 'under way', subscription })).length > 0
}

/** Ends the run of a subscription that is under way: what it sent stays. Throws `wrong_state` where none is, `not_found` where there is no such subscription. */
export async function cancelSnapshot(
  { clock, store }: Omit<SnapshotWork, 'config'>,
  subscription: string,
): Promise<void> {
  const wasUnderWay = await store.endSnapshot({ subscription, how: 'cancelled', at: clock.now() })
  if (wasUnderWay) return
  await requireConfigured(store, subscription)
  throw new ShipbellError('wrong_state', `No snapshot of ${subscription} is under way.`)
}

/** The settings of a subscription that is in the configuration, and whose channel takes records. */
async function requireTaker({ config, store }: SnapshotWork, name: string): Promise<Subscription> {
  const subscription = config.subscriptions.find((each) => each.name === name)
  if (subscription === undefined) {
    await requireConfigured(store, name)
    throw refused(name, 'unknown')
  }
  if (takesSnapshots(subscription.channel)) return subscription
  const problem = `${name} takes no snapshot: only webhooks, \`svix\` and \`pull\` do, and people read its \`${subscription.channel.kind}\`.`
  throw new ShipbellError('wrong_state', problem)
}

function refused(name: string, refusal: SnapshotRefusal): ShipbellError {
  const problem =
    refusal === 'unknown'
      ? `${name} is not known to whoever sends yet: a daemon that runs reads a changed file by itself, so repeat this in a moment.`
      : `A snapshot of ${name} is under way: wait until it ends, or cancel it.`
  return new ShipbellError('wrong_state', problem)
}
