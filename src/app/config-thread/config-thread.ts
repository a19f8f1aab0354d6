import { once } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import type { Config } from '../../config/config.ts'
import { readWatched, type WatchedConfig, type WatchedFiles } from '../../config/watched-config.ts'
import { bytesOf } from '../../config/source-files.ts'
import type { AccountSettings } from '../../model/account.ts'
import type { Subscription } from '../../model/subscription.ts'
import type { ReadPart } from './read-config.ts'
import { reviveSubscription } from '../desk-thread/revive-config.ts'

/** The thread's entry: TypeScript in a clone, and built in the package. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './read-config.ts' : './read-config.js', import.meta.url)

/** A smaller configuration is read in less time than a thread takes to start. */
const LARGE_BYTES = 32_768

/**
 * Reads a configuration. A large one is read in a thread of its own, which ends with it: thousands of accounts take a second, in which
 * nothing else would be done. Where no thread can be had, it is read here. Of what a thread read, accounts and subscriptions that are as
 * in `before` are the same objects.
 */
export async function readBeside(
  files: WatchedFiles,
  before: Config,
  letOthers: () => Promise<void>,
): Promise<WatchedConfig> {
  const read = bytesOf(files.known) < LARGE_BYTES ? null : await readByThread(files)
  if (read === null) return readWatched(files)
  return { ...read, config: read.config && (await adopted(read.config, before, letOthers)) }
}

/** The configuration as the thread reads it; null: the thread could not start, or died. */
async function readByThread(files: WatchedFiles): Promise<WatchedConfig | null> {
  try {
    const { Worker } = process.getBuiltinModule('node:worker_threads')
    const thread = new Worker(ENTRY, { workerData: files })
    const [accounts, subscriptions]: [AccountSettings[], Subscription[]] = [[], []]
    for (let rest: WatchedConfig | null = null; ;) {
      const answer = once(thread, 'message')
      thread.postMessage(null, [])
      const [part]: ReadPart[] = await answer
      if (part === undefined) return null
      accounts.push(...part.accounts)
      subscriptions.push(...part.subscriptions)
      rest ??= part.rest
      if (!part.more) return rest && { ...rest, config: rest.config && { ...rest.config, accounts, subscriptions } }
    }
  } catch {
    return null
  }
}

async function adopted(next: Config, before: Config, letOthers: () => Promise<void>): Promise<Config> {
  const accounts = new Map(before.accounts.map((account) => [account.name, account]))
  const subscriptions = new Map(before.subscriptions.map((each) => [each.name, each]))
  const adopt = async <T extends { readonly name: string }>(
    all: readonly T[],
    { known, revive, plain }: { known: ReadonlyMap<string, T>; revive: (each: T) => T; plain: (each: T) => unknown },
  ): Promise<readonly T[]> => {
    const result: T[] = []
    for (const each of all) {
      const old = known.get(each.name)
      result.push(old !== undefined && isDeepStrictEqual(plain(each), plain(old)) ? old : revive(each))
      await letOthers()
    }
    return result
  }
  return {
    ...next,
    accounts: await adopt(next.accounts, { known: accounts, revive: (each) => each, plain: (each) => each }),
    subscriptions: await adopt(next.subscriptions, {
      known: subscriptions,
      revive: reviveSubscription,
      plain: textsOf,
    }),
  }
}

/** What a subscription says, with the texts of what is compiled. */
function textsOf(subscription: Subscription): unknown {
  const { channel, filter } = subscription
  const templates =
    'templates' in channel ? [...channel.templates].map(([type, { file, source }]) => [type, file, source]) : null
  return { ...subscription, filter: filter?.expression ?? null, channel: { ...channel, templates } }
}
