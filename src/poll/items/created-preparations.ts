import type { Clock } from '../../clock.ts'
import type { AccountSettings } from '../../model/account.ts'
import type { RecordStore } from '../../store/ports/record-port.ts'
import type { WakeSignal } from '../../wake-signal.ts'

/** The record beside the configuration's own that names the order preparations which were created through Shipbell. */
export const CREATED = 'created'

type Records = Pick<RecordStore, 'records'>
type ByAccount = Readonly<Record<string, readonly string[]>>

async function createdByAccount(store: Records): Promise<ByAccount> {
  return (await store.records(null, 'configuration', [CREATED])).get(CREATED)?.memory.created ?? {}
}

/** The references of an account's order preparations that were created through Shipbell, in the order of their creation. */
export async function createdThroughShipbell(store: Records, account: string): Promise<readonly string[]> {
  return (await createdByAccount(store))[account] ?? []
}

/** The references of the order preparations that an account reads: those that are configured, and those that were created. */
export async function watchedPreparations(
  store: Records,
  { account, references }: { readonly account: string; readonly references: readonly string[] },
): Promise<readonly string[]> {
  return [...new Set([...references, ...(await createdThroughShipbell(store, account))])]
}

/** How often a process looks for what commands created. */
const LOOK_MS = 1_000

/** Notices what commands created. All accounts of a process share its looks at the store. */
export class CreatedWatch {
  readonly #clock: Pick<Clock, 'monotonic'>
  #last: { readonly at: number; readonly known: Promise<ByAccount> } | null = null

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** The order preparation of an account that was created last; null: none was. */
  async newest(store: Records, account: string): Promise<string | null> {
    return (await this.#look(store))[account]?.at(-1) ?? null
  }

  async #look(store: Records): Promise<ByAccount> {
    const now = this.#clock.monotonic()
    if (this.#last === null || now - this.#last.at >= LOOK_MS) this.#last = { at: now, known: createdByAccount(store) }
    return this.#last.known
  }
}

interface Watching {
  readonly account: Pick<AccountSettings, 'name'>
  readonly clock: Clock
  readonly committer: { readonly store: Records }
  readonly created?: CreatedWatch
}

/** Wakes whoever reads the order preparations of an account when one was created, until `signal` aborts. */
export async function watchCreated(
  { account, clock, committer, created = new CreatedWatch(clock) }: Watching,
  wake: Pick<WakeSignal, 'notify'>,
  signal: AbortSignal,
): Promise<void> {
  let known: string | null = null
  while (!signal.aborted) {
    const newest = await created.newest(committer.store, account.name)
    if (newest !== known) wake.notify()
    known = newest
    await clock.sleep(LOOK_MS, signal)
  }
}
