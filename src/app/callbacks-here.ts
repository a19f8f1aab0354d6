import { LiveConfig } from '../config/live-config.ts'
import { requireConfig, type LoadOptions } from '../config/load-config.ts'
import type { Config } from '../config/config.ts'
import type { Clock } from '../clock.ts'
import { ShipbellError } from '../errors.ts'
import type { OpenedStore } from '../operate/open-storage.ts'
import { runtimeActions } from '../operate/runtime/runtime-actions.ts'
import { opensAll, RuntimeFollower } from '../operate/runtime/runtime-follower.ts'
import { keyRefusal } from '../operate/runtime/runtime-tender.ts'
import { madeSubscription } from '../serve/api/subscribe-for.ts'
import type { Callbacks } from '../serve/mcp/tool-desk.ts'

interface CallbackParts extends LoadOptions {
  readonly file: string
  readonly store: OpenedStore
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Logs what was done, on what. */
  readonly say: (action: string, on: object) => void
}

/** Whoever starts a command may do everything. */
const WHOLE = { owner: null, accounts: null } as const

/**
 * Callbacks of an assistant that has the store and no daemon: what it makes is written, and whoever polls and sends tests and follows it
 * within seconds. Null: the file names no hosts, or is not whole here, as a secret is not set.
 */
export function callbacksHere(parts: CallbackParts): Callbacks | null {
  const hosts = wholeConfig(parts)?.runtimeSubscriptions?.allow.hosts ?? []
  if (hosts.length === 0) return null
  const { clock, say, store } = parts
  return {
    hosts,
    subscribe: async (keys) => {
      const { actions, live } = await opened(parts)
      const came = await actions.subscribe(keys)
      if ('problems' in came) return came
      say('subscribe', { subscription: came.name })
      return await madeSubscription({ clock, store, subscriptions: () => live.config.subscriptions }, came)
    },
    unsubscribe: async (name) => {
      const { actions } = await opened(parts)
      await actions.unsubscribe(name)
      say('unsubscribe', { subscription: name })
    },
  }
}

/** The file as it is now: it may have changed since the assistant began. */
async function opened(parts: CallbackParts) {
  const { clock, file, signal, store } = parts
  const config = wholeConfig(parts)
  const settings = config?.runtimeSubscriptions ?? null
  if (config === null || settings === null)
    throw new ShipbellError('wrong_state', `${file} takes no subscriptions here any more: \`shipbell check\` says why.`)
  const survey = await store.runtimeSurvey()
  if (survey !== null && !opensAll(settings, survey.subscriptions)) throw keyRefusal(file)
  const live = new LiveConfig(config)
  const follower = new RuntimeFollower({ live, store, clock, changed: () => undefined })
  return { live, actions: runtimeActions({ live, store, clock, signal, follower }, WHOLE) }
}

/** Null: something of it is wrong or not set. */
function wholeConfig(parts: CallbackParts): Config | null {
  try {
    return requireConfig(parts.file, parts)
  } catch {
    return null
  }
}
