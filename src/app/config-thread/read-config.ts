import { bringDisposableStacks } from '../../disposable-stacks.ts'
import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../../config/config.ts'
import { readWatched, type WatchedConfig, type WatchedFiles } from '../../config/watched-config.ts'

bringDisposableStacks()

/** Accounts or subscriptions that pass between threads at once: what comes is unpacked while nothing else has a turn. */
const MOST_AT_ONCE = 200

/** A part of what was read: the first says all but accounts and subscriptions, which come with those that follow. */
export interface ReadPart {
  /** All else; null: it came before. */
  readonly rest: WatchedConfig | null
  readonly accounts: Config['accounts']
  readonly subscriptions: Config['subscriptions']
  /** Whether more is to be asked for. */
  readonly more: boolean
}

function* partsOf(read: WatchedConfig): Generator<ReadPart, undefined> {
  const { config } = read
  const { accounts, subscriptions } = config ?? { accounts: [], subscriptions: [] }
  const most = Math.max(accounts.length, subscriptions.length)
  const rest = { ...read, config: config && { ...config, accounts: [], subscriptions: [] } }
  for (let from = 0; from === 0 || from < most; from += MOST_AT_ONCE) {
    const to = from + MOST_AT_ONCE
    yield {
      rest: from === 0 ? rest : null,
      accounts: accounts.slice(from, to),
      subscriptions: subscriptions.slice(from, to),
      more: to < most,
    }
  }
}

/** The entry of the thread, which reads one configuration, gives a part of it whenever it is asked, and ends with the last. */
const files: WatchedFiles = workerData
const parts = partsOf(readWatched(files))

parentPort?.on('message', () => {
  const part = parts.next().value
  if (part !== undefined) parentPort?.postMessage(part, [])
  if (part?.more !== true) parentPort?.close()
})
