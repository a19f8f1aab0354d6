import type { Clock } from '../clock.ts'
import { HttpConnection } from '../http/connection.ts'
import { Deadline } from '../http/deadline.ts'
import { header, type Portion, type Received, type ReceivedAnswer } from '../http/exchange.ts'
import { describeFailure } from '../http/failure.ts'
import type { Resolve } from '../http/names/name-resolver.ts'
import { judgeAddress } from '../model/address/judge-address.ts'
import type { AccountSettings } from '../model/account.ts'
import { formatDuration } from '../model/duration.ts'
import { printable } from '../printable.ts'
import { fileType, LOOKED_AT } from './file-type.ts'
import type { DocumentContent, DocumentFile } from '../model/document-content.ts'

export interface FileOptions {
  readonly account: Pick<AccountSettings, 'baseUrl' | 'apiKey' | 'timeoutMs' | 'tls' | 'proxy'>
  /** Networks that may be dialled although they are private; the origin of `base_url` is the operator's own. */
  readonly allowNetworks: readonly string[]
  readonly clock: Pick<Clock, 'after'>
  readonly userAgent: string
  readonly resolve?: Resolve | undefined
  /** How large a file may be; left out: 50 MB. */
  readonly mostBytes?: number
  /** Sends what goes to the origin of `base_url`, within the budget of the key. Left out: it is sent at once. */
  readonly admit?: Admit | undefined
  readonly signal: AbortSignal
}

/** Sends a request in its turn. */
export type Admit = <T>(send: () => Promise<T>) => Promise<T>

type Fetched = Pick<DocumentFile, 'kind' | 'type' | 'chunks' | 'bytes'> | Exclude<DocumentContent, DocumentFile>
type Refusal = Exclude<DocumentContent, DocumentFile>

const MOST_BYTES = 50_000_000
const MOST_REDIRECTS = 3
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Fetches the file that the link of a document names, whole or not at all. Records are hostile: a link may lead anywhere, and each
 * target is judged as endpoints are, after every redirect too. Only the origin of `base_url` is the operator's own, and only that
 * is shown the key. No sentence repeats a link, which may be a credential.
 */
export async function fetchFile(link: string, options: FileOptions): Promise<Fetched> {
  let target = targetOf(link, new URL(options.account.baseUrl), options)
  for (let redirects = 0; target instanceof URL; redirects += 1) {
    const here: URL = target
    const answer = await get(here, options)
    if (answer.kind !== 'redirect') return answer
    if (redirects === MOST_REDIRECTS) return refused(`The file is more than ${MOST_REDIRECTS} redirects away.`)
    target = targetOf(answer.location, here, options)
  }
  return target
}

/** Where a link leads from a page; a refusal where it must not be followed. */
function targetOf(link: string, from: URL, { account }: FileOptions): URL | Refusal {
  const target = URL.parse(link, from.href)
  if (target === null) return refused('The link of the document is no address.')
  const isOwnScheme = target.protocol === new URL(account.baseUrl).protocol
  if (target.protocol !== 'https:' && !(isOwnScheme && target.protocol === 'http:'))
    return refused(`The link of the document is neither https nor of the scheme of base_url.`)
  if (target.username !== '' || target.password !== '')
    return refused('The link of the document holds a name and a password, which are not sent.')
  return target
}

type Answer = Fetched | { readonly kind: 'redirect'; readonly location: string }

async function get(target: URL, options: FileOptions): Promise<Answer> {
  const isOwn = target.origin === new URL(options.account.baseUrl).origin
  const admit: Admit = (isOwn ? options.admit : undefined) ?? (async (send) => send())
  return admit(async () => exchange(target, isOwn, options))
}

async function exchange(target: URL, isOwn: boolean, options: FileOptions): Promise<Answer> {
  const { account, clock, mostBytes = MOST_BYTES, signal, userAgent } = options
  const { timeoutMs } = account
  await using connection = connectionTo(target, isOwn, options)
  using deadline = new Deadline({ clock, timeoutMs, signal })
  const headers = {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    ...(isOwn ? { authorization: `Bearer ${account.apiKey}` } : {}),
  }
  const portion = (status: number): Portion => (status === 200 ? { bytes: mostBytes, of: 'whole' } : BEGINNING)
  const path = target.pathname + target.search
  const received = await connection.send(
    { method: 'GET', path, headers, body: null, portion, decode: true, idempotent: true },
    deadline,
  )
  if (deadline.reached !== null)
    return { kind: 'late', reason: `${target.host} did not give the file within ${formatDuration(timeoutMs)}.` }
  return judge(received, target, mostBytes)
}

/** What is read of an answer that is no file. */
const BEGINNING = { bytes: 0, of: 'beginning' } as const

function connectionTo(target: URL, isOwn: boolean, options: FileOptions): HttpConnection {
  const { account, allowNetworks, clock, resolve } = options
  const proxy = account.proxy ?? null
  const way = isOwn
    ? { proxy, tls: account.tls }
    : {
        guard: (address: string) => judgeAddress(address, allowNetworks),
        // A name that this machine cannot resolve cannot be judged.
        proxy: proxy && { ...proxy, allowUnresolved: false },
      }
  const { timeoutMs } = account
  return new HttpConnection({ origin: target.origin, concurrency: 1, clock, timeoutMs, resolve, ...way })
}

function judge(received: Received, target: URL, mostBytes: number): Answer {
  const { host } = target
  if (received.status === null) return refused(explained(received.flaw, target))
  const { flaw, headers, status } = received
  if (REDIRECTS.has(status)) {
    const location = header(headers, 'location')
    return location === ''
      ? refused(`${host} answered ${status} without saying where to.`)
      : { kind: 'redirect', location }
  }
  if (status !== 200) return refused(`${host} answered ${status} in place of the file.`)
  if (flaw === null) return fileOf(received)
  const isTooLarge = 'code' in flaw && flaw.code === 'OVERSIZED'
  if (isTooLarge) return refused(`The file is larger than ${mostBytes / 1_000_000} MB.`)
  return refused(explained(flaw, target))
}

function fileOf({ bytes, chunks, headers }: ReceivedAnswer): Fetched {
  return { kind: 'file', type: fileType(header(headers, 'content-type'), beginningOf(chunks)), chunks, bytes }
}

/** The first bytes of a file, in however small pieces they came. */
function beginningOf(chunks: readonly Uint8Array[]): Uint8Array {
  const first: Uint8Array[] = []
  for (let [index, bytes] = [0, 0]; index < chunks.length && bytes < LOOKED_AT; index += 1) {
    const chunk = chunks[index]?.subarray(0, LOOKED_AT) ?? new Uint8Array()
    first.push(chunk)
    bytes += chunk.length
  }
  return Buffer.concat(first)
}

function explained(flaw: Error, { host, origin }: URL): string {
  const facts = {
    server: host,
    target: origin,
    hint: '',
    authority: "put it into the system's trust store",
    clientCertificate: 'none is shown there',
  }
  return `${printable(describeFailure(flaw, 'endpoint', facts)).replace(/\.*$/, '')}.`
}

function refused(reason: string): Refusal {
  return { kind: 'refused', reason }
}
