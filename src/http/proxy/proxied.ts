import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import type { ProxySettings } from '../../model/subscription.ts'
import { assertAllowed, directConnector, hostOf, timedOut, tlsOpener, type DirectOptions } from '../direct.ts'
import { resolveSystemName } from '../names/system-names.ts'
import { askTunnel } from './ask-tunnel.ts'
import { unreachable } from './proxy-failure.ts'
import { parseProxy, type ProxyServer } from './proxy-server.ts'

/**
 * Reaches targets through a proxy. The guard judges the target before the proxy hears of it. It is asked for the name, because
 * proxies decide by names: where it resolves that name to another address than this machine, it has the last word.
 */
export function proxiedConnector(options: DirectOptions, proxy: ProxySettings): buildConnector.connector {
  const { allowUnresolved } = proxy
  const server = parseProxy(proxy.address)
  const { clock, guard, resolve = resolveSystemName, sockets, timeoutMs, tls = null } = options
  // A client certificate is for the target alone.
  const dialProxy = directConnector({ ...options, guard: undefined, tls: tls && { ...tls, cert: null, key: null } })
  const openTls = tlsOpener(tls)

  const reach = async (target: buildConnector.Options): Promise<Socket> => {
    if (guard !== undefined) await assertAllowed(hostOf(target), { guard, resolve, allowUnresolved })
    const line = await dialled(dialProxy, server)
    if (target.protocol === 'http:') return line
    let socket = line
    const limit = clock.after(timeoutMs, () => socket.destroy(timedOut()))
    try {
      await askTunnel(line, target, server)
      if (target.protocol !== 'https:') return line
      socket = openTls(target, { socket: line })
      sockets.add(socket)
      await secured(socket)
      return socket
    } catch (error) {
      line.destroy()
      throw error
    } finally {
      limit[Symbol.dispose]()
    }
  }

  return (target, callback) => {
    const answer = async (): Promise<void> => {
      const reached = await reach(target).catch((error: unknown) => asError(error))
      if (reached instanceof Error) callback(reached, null)
      else callback(null, reached)
    }
    void answer()
  }
}

async function dialled(dial: buildConnector.connector, { target, origin }: ProxyServer): Promise<Socket> {
  return await new Promise((resolve, reject) => {
    dial(target, (error, socket) => {
      if (socket === null) reject(unreachable(origin, error))
      else resolve(socket)
    })
  })
}

/** Resolves once a socket speaks TLS. The socket below may close without a word. */
async function secured(socket: Socket): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once('secureConnect', resolve)
    // Stays, so that an error is never without a listener.
    socket.on('error', reject)
    socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
  })
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
