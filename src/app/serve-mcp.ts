import type { Readable } from 'node:stream'
import { configJsonSchema } from '../config/json-schema.ts'
import { requireHttp, type LoadOptions } from '../config/load-config.ts'
import { loadWatched } from '../config/load-part.ts'
import type { Clock } from '../clock.ts'
import { createLogger, type Logger } from '../log.ts'
import { acknowledge } from '../operate/acknowledge.ts'
import { retryNamed } from '../operate/admin-actions.ts'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import type { OpenedStore } from '../operate/open-storage.ts'
import type { Status } from '../report/status.ts'
import { callbacksHere } from './callbacks-here.ts'
import { serveOnStdio } from '../serve/mcp/serve-stdio.ts'
import type { ToolActions } from '../serve/mcp/tool-desk.ts'
import { readVersion } from '../version.ts'

interface McpParts extends LoadOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The configuration, whose store is asked: it needs no secret but what `storage` has. */
  readonly file: string
  /** Whether tools that act are there. */
  readonly mayAct: boolean
  readonly stdin: Readable
  /** Writes to standard output, where nothing but the protocol goes. */
  readonly write: (bytes: Uint8Array) => void
  readonly logged: (line: string) => void
  readonly status: () => Promise<Status>
}

/** Speaks the Model Context Protocol over a store, without a daemon, until the input ends. */
export async function serveMcp(parts: McpParts): Promise<void> {
  const { clock, file, logged, mayAct, signal, status, stdin, write } = parts
  const log = createLogger({ level: 'info', pretty: false, colour: false, secrets: () => [], write: logged })
  await using store = await openConfiguredStore(file, parts, mayAct ? 'write' : 'read')
  const accounts = await accountsOf(store, parts)
  const publicUrl = publicUrlOf(parts)
  const desk = {
    clock,
    log,
    version: readVersion(),
    store,
    accounts: () => accounts,
    publicUrl: () => publicUrl,
    configSchema: configJsonSchema,
    status,
    actions: mayAct ? actionsOn(store, { ...parts, log }) : null,
  }
  await serveOnStdio(desk, { stdin, write, signal })
}

/** The accounts as configured, and by UTC those that the store alone has. */
async function accountsOf(store: OpenedStore, parts: McpParts) {
  const watched = loadWatched(parts.file, parts) ?? []
  const configured = new Set(watched.map(({ name }) => name))
  const known = await store.accounts(parts.clock.now())
  const others = known.filter(({ account }) => !configured.has(account))
  return [...watched, ...others.map(({ account }) => ({ name: account, timeZone: 'UTC' }))]
}

/** Where the desk is; null: the file does not say, or a secret beside it is not set. */
function publicUrlOf(parts: McpParts): string | null {
  try {
    return requireHttp(parts.file, parts)?.publicUrl ?? null
  } catch {
    return null
  }
}

/** What is done here is done as commands do it: who polls and sends notices within seconds. */
function actionsOn(store: OpenedStore, { log, ...how }: McpParts & { readonly log: Logger }): ToolActions {
  const say = (action: string, on: object): void =>
    log.info({ who: 'cli', role: 'admin', action, ...on }, 'admin.acted')
  return {
    by: 'cli',
    callbacks: callbacksHere({ ...how, store, say }),
    acknowledge: async (id, said) => {
      const exception = await acknowledge({ ...how, store }, id, said)
      say('acknowledge', { exception: id })
      return exception
    },
    retry: async (id) => {
      const pending = await retryNamed({ ...how, store }, id)
      say('retry', { delivery: id })
      return pending
    },
  }
}
