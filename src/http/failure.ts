import { AddressRefused } from './direct.ts'
import { NameFailure } from './names/name-failure.ts'
import { ProxyFailure } from './proxy/proxy-failure.ts'

/** Who does not answer as it should: the platform that is read, an endpoint that events are sent to, or a mail server. */
type Peer = 'platform' | 'endpoint' | 'mail'

interface Row {
  /** Codes of Node, OpenSSL, undici and nodemailer, or one of our own (`causeOf`). */
  readonly of: RegExp
  readonly says: string
  /** What the sentence of a platform says, where `says` is not it. Else what to check is added. */
  readonly platform?: string
  /** What the sentence of a mail server says, where `says` is not it. */
  readonly mail?: string
  /** Whether something did answer: then the network is not at fault. */
  readonly isAnswer?: true
}

/** What stands for `{…}` in a sentence; `{code}`, `{reason}`, `{detail}`, `{message}` and `{proxy}` are the error's. */
export interface Facts {
  /** The server with the way to it, where that leads through a proxy. */
  readonly server: string
  /** The server without the way to it. */
  readonly target: string
  readonly [name: string]: string
}

const CHECK = ' at {request}; check base_url and the network.'
const OWN = ' at {request}; check base_url, and where the authority is your own, {authority}.'
const WHOLE_CHAIN =
  ' at {request}; check base_url, have the server send the whole chain, and where the authority is your own, {authority}.'
const CHECK_URL = ' ({request}); check base_url.'
const NO_PATH = '{server} cannot be reached ({code})'
const HUNG_UP = '{server} closed the connection without an answer ({code}){hint}'
const NO_MAIL = '{server} closed the connection before it had taken the mail ({code})'
const UNTRUSTED =
  'No trusted authority stands behind the certificate of {server} ({code}): where it is your own, {authority}'
const ALONE =
  'No trusted authority stands behind the certificate of {server} ({code}): it sends no intermediate certificate, so have it send the whole chain; where the authority is your own, {authority}'
const INVALID = 'The certificate of {server} is not valid ({code})'
const UNKNOWN = `{server} could not be talked to ({detail})${CHECK}`
const NO_TLS = '{server} speaks no TLS on that port, or another version ({code}): smtp:// with STARTTLS, or smtps://?'

/** What a proxy did. Neither the network here nor the server is at fault. */
function ofProxy(of: RegExp, says: string): Row {
  return { of, says, platform: `${says} ({request}).` }
}

/** Every way to fail, with its sentence: what happened, where, and what to do. The first row that fits counts. */
const TABLE: readonly Row[] = [
  { of: /^ADDRESS_REFUSED$/, says: 'Nothing was sent to {server}: {reason}' },
  {
    of: /^NAME_FAILURE$/,
    says: 'The host name of {server} cannot be resolved ({code}): {reason}',
    platform: `{server} could not be looked up, because {reason} ({code})${CHECK}`,
  },
  ofProxy(
    /^PROXY_LOGIN$/,
    'The proxy {proxy} asks for a login, or for another one ({status}): correct user and password in its address',
  ),
  ofProxy(
    /^PROXY_REFUSED$/,
    'The proxy {proxy} does not let Shipbell through to {target} ({status}): have it allow that host and port',
  ),
  ofProxy(
    /^PROXY_GATEWAY$/,
    'The proxy {proxy} did not get through to {target} ({status}): look at its log, and whether it knows that name',
  ),
  ofProxy(/^PROXY_UNREACHABLE$/, 'The proxy {proxy} cannot be reached ({status}): correct its address, or start it'),
  ofProxy(
    /^PROXY_TLS$/,
    'No TLS connection to the proxy {proxy} came about ({status}): look whether its address is https, and who vouches for its certificate',
  ),
  ofProxy(/^PROXY_SILENT$/, 'The proxy {proxy} did not get through to {target} in time ({status}): look at its log'),
  ofProxy(
    /^PROXY_HUNG_UP$/,
    'The proxy {proxy} closed the connection before it had got through to {target} ({status}): look at its log',
  ),
  ofProxy(/^PROXY_NOT_ONE$/, 'What answers at {proxy} is no HTTP proxy ({status}): correct the address of the proxy'),
  { of: /^(?:ENOTFOUND|EAI_AGAIN|EDNS)$/, says: 'The host name of {server} cannot be resolved ({code})' },
  {
    of: /^(?:EMFILE|ENFILE)$/,
    says: 'No connection to {server} could be opened, because no file descriptor is left ({code}): raise the limit of this process (LimitNOFILE, ulimit -n)',
  },
  {
    of: /^EADDRNOTAVAIL$/,
    says: 'No connection to {server} could be opened, because this machine has no free local port or address for it ({code}): widen net.ipv4.ip_local_port_range',
  },
  {
    of: /^(?:ENOBUFS|ENOMEM)$/,
    says: 'No connection to {server} could be opened, because this machine has no memory left for it ({code})',
  },
  { of: /^ECONNREFUSED$/, says: '{server} refused the connection ({code})' },
  { of: /^ETIMEDOUT$/, says: NO_PATH, platform: `{server} did not accept the connection in time ({code})${CHECK}` },
  {
    of: /^(?:EHOSTUNREACH|ENETUNREACH)$/,
    says: NO_PATH,
    platform: `{server} cannot be reached over the network ({code})${CHECK}`,
  },
  { of: /^ECONNRESET$/, says: HUNG_UP, platform: `{server} reset the connection ({code})${CHECK}`, mail: NO_MAIL },
  {
    of: /^(?:EPIPE|UND_ERR_SOCKET|ECONNECTION|ESOCKET)$/,
    says: HUNG_UP,
    platform: `{server} closed the connection before the answer was complete ({code})${CHECK}`,
    mail: NO_MAIL,
  },
  { of: /^UNASKED$/, isAnswer: true, says: '{server} answered "{reason}", which it was not asked for' },
  { of: /^HTTP_2$/, isAnswer: true, says: '{server} does not speak HTTP/1.1; it may speak HTTP/2 only' },
  {
    of: /^NOT_HTTP$/,
    isAnswer: true,
    says: '{server} did not answer in valid HTTP',
    platform: '{server} answered {request} with something that is not HTTP.',
  },
  { of: /^OVERSIZED$/, isAnswer: true, says: '', platform: '{server} answered {request} with more than {most}.' },
  {
    of: /^UNDECODABLE$/,
    isAnswer: true,
    says: '',
    platform: '{server} answered {request} with a body that cannot be decoded as {reason}.',
  },
  {
    of: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    says: UNTRUSTED,
    platform: `{server} shows a self-signed TLS certificate ({code})${OWN}`,
  },
  {
    // The certificate came alone: browsers fetch or remember what is missing, which hides it.
    of: /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
    says: ALONE,
    platform: `{server} shows a TLS certificate that comes without its intermediate certificate, or from an unknown authority ({code})${WHOLE_CHAIN}`,
  },
  {
    of: /^SELF_SIGNED_CERT_IN_CHAIN$|^UNABLE_TO_GET_ISSUER_CERT/,
    says: UNTRUSTED,
    platform: `{server} shows a TLS certificate of an unknown authority ({code})${OWN}`,
  },
  {
    of: /^CERT_HAS_EXPIRED$/,
    says: 'The certificate of {server}, or of its authority, has expired ({code})',
    platform: `{server} shows a TLS certificate that has expired ({code})${CHECK}`,
    mail: INVALID,
  },
  {
    of: /^CERT_NOT_YET_VALID$/,
    says: 'The certificate of {server}, or of its authority, is not valid yet ({code})',
    platform: UNKNOWN,
    mail: INVALID,
  },
  {
    of: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    says: 'The certificate of {server} is for another host name ({code})',
    platform: `{server} shows a TLS certificate for another host name ({code})${CHECK}`,
  },
  {
    of: /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/,
    says: '{server} does not speak TLS on that port ({code})',
    platform: UNKNOWN,
    mail: NO_TLS,
  },
  {
    of: /^ERR_SSL_.*ALERT.*(?:CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/,
    says: '{server} does not accept the client certificate, or lacks one ({code}): {clientCertificate}',
    platform: `{server} does not accept the client certificate, or lacks one ({code}, {clientCertificate})${CHECK}`,
    mail: NO_TLS,
  },
  {
    of: /^ERR_SSL_|^EPROTO$/,
    says: 'No TLS connection to {server} came about ({code}): it may want a client certificate ({clientCertificate}) or another TLS version',
    platform: UNKNOWN,
    mail: NO_TLS,
  },
  {
    of: /CERT|SIGNATURE|ISSUER|CRL/,
    says: 'The TLS certificate of {server} is not trusted ({code})',
    platform: UNKNOWN,
    mail: INVALID,
  },
  { of: /^E(?:NO)?AUTH$/, says: '{server} and Shipbell know no way to log in that both have ({code})' },
  {
    of: /^ETLS$/,
    says: 'No TLS connection to {server} came about, and a login is never sent without ({code}): {message}',
  },
]

const OTHER: Row = {
  of: /^/,
  says: 'Sending to {server} failed: {message}',
  platform: UNKNOWN,
  mail: 'Sending through {server} failed: {message}',
}

/** Why no answer came, or none that can be used, in one sentence. */
export function describeFailure(error: unknown, peer: Peer, facts: Facts): string {
  const all: Readonly<Record<string, string | undefined>> = { ...factsOf(error), ...facts }
  return templateOf(rowOf(error, peer), peer).replaceAll(/\{(\w+)\}/g, (_, name: string) => all[name] ?? '')
}

/** Whether something answered that cannot be used: then the network is not at fault. */
export function isAnswer(error: unknown): boolean {
  return rowOf(error, 'platform').isAnswer === true
}

function rowOf(error: unknown, peer: Peer): Row {
  const cause = causeOf(error, peer)
  return TABLE.find(({ of }) => of.test(cause)) ?? OTHER
}

function templateOf({ says, platform, mail, isAnswer: answered }: Row, peer: Peer): string {
  switch (peer) {
    case 'platform':
      return platform ?? `${says}${answered === true ? CHECK_URL : CHECK}`
    case 'endpoint':
      return says
    case 'mail':
      return mail ?? says
    default:
      return peer satisfies never
  }
}

/** The code of an error, or one of ours where its own says too little. */
function causeOf(error: unknown, peer: Peer): string {
  if (error instanceof AddressRefused) return 'ADDRESS_REFUSED'
  if (error instanceof NameFailure) return 'NAME_FAILURE'
  const code = codeOf(error)
  if (!(error instanceof Error) || peer === 'mail') return code
  if (unasked(error) !== null) return 'UNASKED'
  if (code.endsWith('_ALERT_NO_APPLICATION_PROTOCOL') || beginsWithSettings(error)) return 'HTTP_2'
  // undici asserts that a status is at least 100.
  const isUnreadable = error.name === 'HTTPParserError' || /^HPE_|HEADERS_OVERFLOW|^ERR_ASSERTION$/.test(code)
  return isUnreadable ? 'NOT_HTTP' : code
}

function factsOf(error: unknown): Readonly<Record<string, string>> {
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  return {
    ...(error instanceof ProxyFailure ? { proxy: error.proxy, status: error.detail } : {}),
    code,
    reason: error instanceof NameFailure ? error.reason : (unasked(error) ?? message),
    detail: code === '' ? message : `${code}: ${message}`,
    message: message.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200),
  }
}

/** An answer that undici has no use for unless it was asked for: this is what it calls it. */
function unasked(error: unknown): string | null {
  if (!(error instanceof Error) || codeOf(error) !== 'UND_ERR_SOCKET') return null
  return error.message === 'bad upgrade' ? '101 Switching Protocols' : null
}

/** Whether what undici could not parse is a SETTINGS frame, with which HTTP/2 begins (RFC 9113, 4.1 and 6.5). */
function beginsWithSettings(error: Error): boolean {
  const data = error.name === 'HTTPParserError' && 'data' in error ? error.data : undefined
  return typeof data === 'string' && data.startsWith('\0\0') && data.slice(3, 9) === '\u0004\0\0\0\0\0'
}

/** The code of an error; of nodemailer's errors, that of the cause. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('originalCode' in error && typeof error.originalCode === 'string') return error.originalCode
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
