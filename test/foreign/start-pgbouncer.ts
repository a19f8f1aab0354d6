import { writeFileSync } from 'node:fs'
import { freePort } from '../support/free-port.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { ForeignServer } from './foreign-program.ts'

/** It refuses to run as root. */
const NOBODY = 65_534

/**
 * PgBouncer in transaction mode in front of every database of a server. It has few connections to each, and takes another one for
 * each transaction if it can.
 */
export async function startPgBouncer(
  path: string,
  server: PostgresServer,
  connections: number,
): Promise<ForeignServer> {
  const port = await freePort()
  const file = `${server.folder}/pgbouncer-${port}.ini`
  const to = new URL(server.url()).searchParams
  writeFileSync(
    file,
    `[databases]
* = host=${to.get('host')} port=${to.get('port')} user=${to.get('user')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 1000
server_round_robin = 1
`,
  )
  const pooler = new ForeignServer(port, [path, file], { uid: process.getuid?.() === 0 ? NOBODY : null })
  await pooler.start()
  return pooler
}
