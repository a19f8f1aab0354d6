import type { buildConnector } from 'undici'
import createConnector from 'undici/lib/core/connect.js'
import type { OpenSockets } from './open-sockets.ts'

/** An undici connector whose sockets end with `sockets`. */
export function socketConnector(options: buildConnector.BuildOptions, sockets: OpenSockets): buildConnector.connector {
  const dial = createConnector(options)
  return (target, callback) => sockets.add(dial(target, callback))
}
