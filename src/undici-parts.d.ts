// Modules of undici as its exact version has them: its entry also loads fetch, caches, mocks and web sockets, three quarters of it.
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export default Pool
}
declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici'
  export default buildConnector
}
