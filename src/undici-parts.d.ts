// Modules of undici as its exact version has them: its entry also loads fetch, caches, mocks and web sockets, three quarters of it.
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export default Pool
}
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export default Client
}
declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net'
  import type { buildConnector } from 'undici'
  /** Its own types leave out that a connector returns the socket that it opens. */
  export default function createConnector(
    options: buildConnector.BuildOptions,
  ): (target: buildConnector.Options, callback: buildConnector.Callback) => Socket
}
