/** What is wrong, as the table of failures (`http/failure.ts`) knows it. */
type ProxyFault =
  | 'PROXY_UNREACHABLE'
  | 'PROXY_TLS'
  | 'PROXY_SILENT'
  | 'PROXY_HUNG_UP'
  | 'PROXY_NOT_ONE'
  | 'PROXY_LOGIN'
  | 'PROXY_REFUSED'
  | 'PROXY_GATEWAY'

interface About {
  /** The origin of the proxy. */
  readonly proxy: string
  /** A status, or the code of an error. */
  readonly detail: string
}

/** The proxy is at fault, or says that it is not: the target has answered nothing. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure'
  readonly code: ProxyFault
  readonly proxy: string
  readonly detail: string

  constructor(code: ProxyFault, { proxy, detail }: About, cause?: unknown) {
    super(`${code} ${proxy} (${detail})`, { cause })
    this.code = code
    this.proxy = proxy
    this.detail = detail
  }
}

/** The failure of an answer that is the proxy's own. */
export function refusedBy(proxy: string, status: number): ProxyFailure {
  return new ProxyFailure(faultOf(status), { proxy, detail: String(status) })
}

function faultOf(status: number): ProxyFault {
  // tinyproxy answers a wrong login with 401.
  if (status === 407 || status === 401) return 'PROXY_LOGIN'
  return status >= 500 ? 'PROXY_GATEWAY' : 'PROXY_REFUSED'
}

/** The failure of an error while the proxy itself is dialled. */
export function unreachable(proxy: string, error: unknown): ProxyFailure {
  const code = codeOf(error)
  const isTls = /CERT|SIGNATURE|ISSUER|SSL|EPROTO/.test(code)
  return new ProxyFailure(isTls ? 'PROXY_TLS' : 'PROXY_UNREACHABLE', { proxy, detail: code }, error)
}

/** The failure of an error while the proxy is asked for a target. */
export function unasked(proxy: string, error: unknown): ProxyFailure {
  const code = codeOf(error)
  return new ProxyFailure(faultWhileAsking(code), { proxy, detail: code }, error)
}

function faultWhileAsking(code: string): ProxyFault {
  if (code.startsWith('HPE_')) return 'PROXY_NOT_ONE'
  return code === 'ETIMEDOUT' ? 'PROXY_SILENT' : 'PROXY_HUNG_UP'
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
