// Modules of undici as its exact version has them. Its entry also loads fetch, caches, mocks and web sockets: half of its memory,
// some 4 MB.
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  export default Pool
}
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export default Client
}
