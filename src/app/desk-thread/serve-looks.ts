import { bringDisposableStacks } from '../../disposable-stacks.ts'
import { parentPort } from 'node:worker_threads'
import { followingClock, systemClock } from '../../clock.ts'
import { LiveConfig } from '../../config/live-config.ts'
import { createLogger } from '../../log.ts'
import { createLookingApp } from '../../serve/looking-app.ts'
import { ChangeFeed } from '../../serve/stream/change-feed.ts'
import { openStore } from '../../store/file/open-store.ts'
import { adminContext } from '../../operate/admin-context.ts'
import { openStorage, type OpenedStore } from '../../operate/open-storage.ts'
import type { DaemonFacts, FromThread, ToThread } from './messages.ts'
import { reviveConfig } from './revive-config.ts'
import { yieldProcessor } from './yield-processor.ts'

bringDisposableStacks()

const UNKNOWN: DaemonFacts = {
  readiness: { ready: false, store: { ok: true, problem: null }, accounts: {} },
  budgetLeft: new Map(),
}

/** The entry of the thread. */
let live: LiveConfig | null = null
let app: ReturnType<typeof openApp> | null = null
const clock = followingClock(systemClock)
let facts = UNKNOWN

function follow(config: LiveConfig['config']): void {
  if (live === null) live = new LiveConfig(config)
  else live.replace(config)
}

/** Nothing is done here: what acts is refused by the store, which this thread may only read. */
async function openApp(known: LiveConfig) {
  const context = adminContext({
    live: known,
    clock,
    log: createLogger({
      level: known.config.log.level,
      pretty: false,
      colour: false,
      secrets: () => known.secrets,
      write: (line) => say({ kind: 'logged', line }),
    }),
    store: await openDeskStore(known),
    readiness: async () => facts.readiness,
    budgetLeft: (account) => facts.budgetLeft.get(account) ?? null,
    // Whoever polls has them.
    document: async () => ({ kind: 'refused', reason: 'This thread only looks.' }),
    metrics: null,
    feed: new ChangeFeed(),
    wake: () => undefined,
    telemetry: { committed: () => undefined },
    signal: new AbortController().signal,
  })
  return createLookingApp(context)
}

/** The lock of a file is its daemon's. */
async function openDeskStore({ config: { storage } }: LiveConfig): Promise<OpenedStore> {
  if (storage.kind === 'file') return openStore({ path: storage.path, readonly: true, locked: true })
  return await openStorage(storage, { access: 'read', clock })
}

async function answer(message: Extract<ToThread, { readonly kind: 'look' }>): Promise<FromThread> {
  const { id, looking } = message
  facts = message.facts ?? facts
  try {
    if (live === null) throw new Error('a configuration comes first')
    app ??= openApp(live)
    const look = await app.catch((error: unknown) => {
      app = null
      throw error
    })
    return { kind: 'look', id, look: await look(looking) }
  } catch (error) {
    return { kind: 'failed', id, error: String(error) }
  }
}

function step(message: ToThread): void {
  if (message.kind === 'config') follow(reviveConfig(message.config))
  else void answer(message).then(say)
}

function say(said: FromThread): void {
  // The bytes of a page pass to the other thread: they are not copied.
  parentPort?.postMessage(said, said.kind === 'look' ? [said.look.body.buffer] : [])
}

yieldProcessor()
parentPort?.on('message', step)
