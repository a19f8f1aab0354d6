import { AddressRefused } from './guard.ts'
import { NameFailure } from './names/name-failure.ts'

/** Who does not answer: the platform that is read, an endpoint that events are sent to, or a mail server. */
type Peer = 'platform' | 'endpoint' | 'mail'

/** `mail` is left out where a mail server is spoken of as an endpoint is, and any other where nothing particular is known. */
interface Row extends Partial<Readonly<Record<Peer, string>>> {
  /** Codes of Node, OpenSSL, undici and nodemailer, or one of our own (`causeOf`). */
  readonly of: RegExp
  /** Whether something did answer, in its own way. */
  readonly isAnswer?: true
}

/** What stands for `{…}`; `{code}`, `{reason}`, `{detail}` and `{message}` are the error's. */
export interface Facts {
  readonly server: string
  readonly [name: string]: string
}

const CHECK = 'at {request}; check base_url and the network.'
const CHECK_URL = '({request}); check base_url.'
const UNKNOWN_AUTHORITY =
  'No trusted authority stands behind the certificate of {server} ({code}): where it is your own, {authority}'
const OTHER_NAME = 'The certificate of {server} is for another host name ({code})'
const INVALID = 'The certificate of {server} is not valid ({code})'
const NO_TLS_FOR_MAIL =
  '{server} speaks no TLS on that port, or another version ({code}): smtp:// with STARTTLS, or smtps://?'

const OTHER: Row & Readonly<Record<Peer, string>> = {
  of: /^/,
  platform: `{server} could not be talked to ({detail}) ${CHECK}`,
  endpoint: 'Sending to {server} failed: {message}',
  mail: 'Sending through {server} failed: {message}',
}

/** Every way in which no answer comes, and what is said of it: what happened, where, and what to do. The first row counts. */
const TABLE: readonly Row[] = [
  { of: /^ADDRESS_REFUSED$/, endpoint: 'Nothing was sent to {server}: {reason}' },
  {
    of: /^NAME_FAILURE$/,
    platform: `{server} could not be looked up, because {reason} ({code}) ${CHECK}`,
    endpoint: 'The host name of {server} cannot be resolved ({code}): {reason}',
  },
  {
    of: /^(?:ENOTFOUND|EAI_AGAIN|EDNS)$/,
    endpoint: 'The host name of {server} cannot be resolved ({code})',
  },
  {
    of: /^ECONNREFUSED$/,
    platform: `{server} refused the connection ({code}) ${CHECK}`,
    endpoint: '{server} refused the connection ({code})',
  },
  {
    of: /^ETIMEDOUT$/,
    platform: `{server} did not accept the connection in time ({code}) ${CHECK}`,
    endpoint: '{server} cannot be reached ({code})',
  },
  {
    of: /^(?:EHOSTUNREACH|ENETUNREACH)$/,
    platform: `{server} cannot be reached over the network ({code}) ${CHECK}`,
    endpoint: '{server} cannot be reached ({code})',
  },
  {
    of: /^ECONNRESET$/,
    platform: `{server} reset the connection ({code}) ${CHECK}`,
    endpoint: '{server} closed the connection without an answer ({code}){hint}',
    mail: '{server} closed the connection before it had taken the mail ({code})',
  },
  {
    of: /^(?:EPIPE|UND_ERR_SOCKET|ECONNECTION|ESOCKET)$/,
    platform: `{server} closed the connection before the answer was complete ({code}) ${CHECK}`,
    endpoint: '{server} closed the connection without an answer ({code}){hint}',
    mail: '{server} closed the connection before it had taken the mail ({code})',
  },
  {
    of: /^UNASKED_100$/,
    isAnswer: true,
    platform: `{server} answered "100 Continue", which it was not asked for ${CHECK_URL}`,
    endpoint: '{server} answered "100 Continue", which it was not asked for',
  },
  {
    of: /^UNASKED_101$/,
    isAnswer: true,
    platform: `{server} answered "101 Switching Protocols", which it was not asked for ${CHECK_URL}`,
    endpoint: '{server} answered "101 Switching Protocols", which it was not asked for',
  },
  {
    of: /^HTTP_2$|_ALERT_NO_APPLICATION_PROTOCOL$/,
    isAnswer: true,
    platform: `{server} does not speak HTTP/1.1; it may speak HTTP/2 only ${CHECK_URL}`,
    endpoint: '{server} does not speak HTTP/1.1; it may speak HTTP/2 only',
  },
  {
    // undici asserts that a status is at least 100.
    of: /^NOT_HTTP$|^HPE_|HEADERS_OVERFLOW|^ERR_ASSERTION$/,
    isAnswer: true,
    platform: '{server} answered {request} with something that is not HTTP.',
    endpoint: '{server} did not answer in valid HTTP',
  },
  {
    of: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    platform: `{server} shows a self-signed TLS certificate ({code}) ${CHECK}`,
    endpoint: UNKNOWN_AUTHORITY,
  },
  {
    of: /^SELF_SIGNED_CERT_IN_CHAIN$|^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/,
    platform: `{server} shows a TLS certificate of an unknown authority ({code}) ${CHECK}`,
    endpoint: UNKNOWN_AUTHORITY,
  },
  {
    of: /^CERT_HAS_EXPIRED$/,
    platform: `{server} shows a TLS certificate that has expired ({code}) ${CHECK}`,
    endpoint: 'The certificate of {server}, or of its authority, has expired ({code})',
    mail: INVALID,
  },
  {
    of: /^CERT_NOT_YET_VALID$/,
    endpoint: 'The certificate of {server}, or of its authority, is not valid yet ({code})',
    mail: INVALID,
  },
  {
    of: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    platform: `{server} shows a TLS certificate for another host name ({code}) ${CHECK}`,
    endpoint: OTHER_NAME,
  },
  {
    of: /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/,
    endpoint: '{server} does not speak TLS on that port ({code})',
    mail: NO_TLS_FOR_MAIL,
  },
  {
    of: /^ERR_SSL_.*ALERT.*(?:CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/,
    endpoint: '{server} does not accept the client certificate, or lacks one ({code}): {clientCertificate}',
    mail: NO_TLS_FOR_MAIL,
  },
  {
    of: /^ERR_SSL_|^EPROTO$/,
    endpoint:
      'No TLS connection to {server} came about ({code}): it may want a client certificate ({clientCertificate}) or another TLS version',
    mail: NO_TLS_FOR_MAIL,
  },
  {
    of: /CERT|SIGNATURE|ISSUER|CRL/,
    endpoint: 'The TLS certificate of {server} is not trusted ({code})',
    mail: INVALID,
  },
  { of: /^E(?:NO)?AUTH$/, mail: '{server} and Shipbell know no way to log in that both have ({code})' },
  {
    of: /^ETLS$/,
    mail: 'No TLS connection to {server} came about, and a login is never sent without ({code}): {message}',
  },
]

/** Why no answer came, in one sentence. */
export function describeFailure(error: unknown, peer: Peer, facts: Facts): string {
  const row = rowOf(error)
  const template = row[peer] ?? (peer === 'mail' ? row.endpoint : undefined) ?? OTHER[peer]
  const all: Readonly<Record<string, string | undefined>> = { ...factsOf(error), ...facts }
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => all[name] ?? '')
}

/** Whether something answered that does not speak HTTP/1.1 as it should: then the network is not at fault. */
export function isOddAnswer(error: unknown): boolean {
  return rowOf(error).isAnswer === true
}

function rowOf(error: unknown): Row {
  const cause = causeOf(error)
  return TABLE.find(({ of }) => of.test(cause)) ?? OTHER
}

function factsOf(error: unknown): Readonly<Record<string, string>> {
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  return {
    code,
    reason: error instanceof NameFailure ? error.reason : message,
    detail: code === '' ? message : `${code}: ${message}`,
    message: message.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200),
  }
}

/** The code of an error, or one of ours for what has none that tells. */
function causeOf(error: unknown): string {
  if (error instanceof AddressRefused) return 'ADDRESS_REFUSED'
  if (error instanceof NameFailure) return 'NAME_FAILURE'
  const code = codeOf(error)
  if (!(error instanceof Error)) return code
  // What undici calls these two; it knows no answer that follows them.
  if (code === 'UND_ERR_SOCKET' && error.message === 'bad response') return 'UNASKED_100'
  if (code === 'UND_ERR_SOCKET' && error.message === 'bad upgrade') return 'UNASKED_101'
  if (error.name !== 'HTTPParserError') return code
  return beginsWithSettings(error) ? 'HTTP_2' : 'NOT_HTTP'
}

/** Whether what undici could not parse is a SETTINGS frame, with which HTTP/2 begins (RFC 9113, 4.1 and 6.5). */
function beginsWithSettings(error: Error): boolean {
  const data = 'data' in error ? error.data : undefined
  return typeof data === 'string' && data.startsWith('\0\0') && data.slice(3, 9) === '\u0004\0\0\0\0\0'
}

/** nodemailer's own codes stand before what caused them. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('originalCode' in error && typeof error.originalCode === 'string') return error.originalCode
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
