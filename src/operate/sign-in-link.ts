import type { Clock } from '../clock.ts'
import type { StorageSettings } from '../config/storage.ts'
import { requireHttp, type LoadOptions } from '../config/load-config.ts'
import { requireStorage } from '../config/load-part.ts'
import { ShipbellError } from '../errors.ts'
import { Deadline } from '../http/deadline.ts'
import { textField, type Json } from '../model/json.ts'
import { openIfMade } from './open-storage.ts'
import { daemonHere, type RunningDaemon } from './running-daemon.ts'

/** An address that opens the desk. */
export interface DeskLink {
  /** Where people reach the desk. */
  readonly desk: string
  /** The address that signs a browser in, once and within a minute. */
  readonly link: string
}

export type DeskSurroundings = LoadOptions & { readonly clock: Clock; readonly signal: AbortSignal }

const NO_DAEMON = {
  file: 'No daemon runs, and without it there is no desk: start `shipbell run`.',
  postgres: 'No worker runs on this machine, and without it there is no desk here: ask where one runs.',
} as const
const TIMEOUT_MS = 5_000
const ANSWER = { bytes: 4_096, of: 'whole' } as const

/**
 * Asks the running daemon for a link. The token goes to the configured address alone. Throws `usage` where there is no admin
 * interface, and `daemon_missing` where no daemon runs or it does not answer as it should.
 */
export async function signInLink(file: string, surroundings: DeskSurroundings): Promise<DeskLink> {
  const http = requireHttp(file, surroundings)
  if (http === null) {
    throw new ShipbellError(
      'usage',
      `${file} has no admin interface: remove \`http: false\` and start the daemon anew.`,
    )
  }
  const storage = requireStorage(file, surroundings)
  const daemon = await daemonOf(storage, surroundings)
  if (daemon === null) throw new ShipbellError('daemon_missing', NO_DAEMON[storage.kind])
  const port = daemon.port ?? http.port
  if (port === 0) {
    throw new ShipbellError(
      'daemon_missing',
      `Process ${daemon.pid} serves no admin interface: start it with \`shipbell run\`.`,
    )
  }
  const origin = `http://${dialled(http.host)}:${port}`
  const path = await askLink(origin, http.token ?? http.viewerToken, surroundings)
  const desk = http.publicUrl ?? origin
  return { desk: `${desk}/`, link: `${desk}${path}` }
}

async function daemonOf(storage: StorageSettings, { clock }: DeskSurroundings): Promise<RunningDaemon | null> {
  if (storage.kind === 'file') return await daemonHere(storage)
  await using store = await openIfMade(storage, { access: 'read', clock })
  return await daemonHere(storage, store?.workers)
}

/** An interface that listens everywhere listens here. */
function dialled(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

async function askLink(origin: string, token: string | null, { clock, signal }: DeskSurroundings): Promise<string> {
  const { HttpConnection } = await import('../http/connection.ts')
  await using connection = new HttpConnection({ origin, timeoutMs: TIMEOUT_MS, concurrency: 1, clock })
  using deadline = new Deadline({ clock, timeoutMs: TIMEOUT_MS, signal })
  const headers: Readonly<Record<string, string>> = token === null ? {} : { authorization: `Bearer ${token}` }
  const request = {
    method: 'POST',
    path: '/login/link',
    headers,
    body: null,
    portion: () => ANSWER,
    decode: false,
  } as const
  const { status, flaw, ...answer } = await connection.send({ ...request, idempotent: true }, deadline)
  if (status === null || flaw !== null)
    throw unanswered(origin, flaw !== null && 'code' in flaw ? String(flaw.code) : 'no answer')
  if (status === 401) {
    throw unanswered(origin, 'it knows another token: is the variable set here as it is for the daemon?')
  }
  const path = 'chunks' in answer ? pathOf(Buffer.concat(answer.chunks).toString()) : null
  if (status !== 200 || path === null) throw unanswered(origin, `HTTP ${status}`)
  return path
}

/** Only a path of the interface itself. */
function pathOf(text: string): string | null {
  try {
    const answer: Json = JSON.parse(text)
    const path = textField(answer, 'path')
    return path !== null && /^\/(?:login\/link\?code=[\w-]+)?$/.test(path) ? path : null
  } catch {
    return null
  }
}

function unanswered(origin: string, why: string): ShipbellError {
  return new ShipbellError('daemon_missing', `The daemon at ${origin} opens no desk (${why}): look into its log.`)
}
