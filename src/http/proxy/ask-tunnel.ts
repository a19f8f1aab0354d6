import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { hostOf, writtenHost } from '../direct.ts'
import { ProxyFailure, refusedBy, unasked } from './proxy-failure.ts'
import type { ProxyServer } from './proxy-server.ts'

/** The longest head of a proxy's answer; more is no answer to CONNECT. */
const MOST_HEADER_BYTES = 16 * 1024

/**
 * Asks a proxy, over a connection to it, for a way to a target (CONNECT, RFC 9110 section 9.3.6). From then on whatever goes over
 * the connection is between us and the target. Rejects with a `ProxyFailure`; the connection is of no use then. The body of a
 * refusal is not read. The caller limits the time.
 */
export async function askTunnel(
  line: Socket,
  target: buildConnector.Options,
  { origin, authorization }: ProxyServer,
): Promise<void> {
  // As in `http-server.ts`: an `import` of it would load Node's own `fetch`.
  const { request } = process.getBuiltinModule('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const { port, protocol } = target
  const authority = `${writtenHost(hostOf(target))}:${port || (protocol === 'https:' ? 443 : 80)}`
  const asking = request({
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...(authorization === null ? {} : { 'proxy-authorization': authorization }) },
    createConnection: () => line,
    maxHeaderSize: MOST_HEADER_BYTES,
  })
  asking.on('connect', ({ statusCode = 0 }, socket, head) => {
    if (statusCode < 200 || statusCode > 299) reject(refusedBy(origin, statusCode))
    // A client of TLS speaks first: what comes with the answer is a page, not the target.
    else if (head.length > 0 && protocol === 'https:')
      reject(new ProxyFailure('PROXY_NOT_ONE', { proxy: origin, detail: String(statusCode) }))
    else {
      if (head.length > 0) socket.unshift(head)
      resolve()
    }
  })
  asking.on('error', (error) => reject(unasked(origin, error)))
  asking.end()
  await promise
}
