import { chmodSync, writeFileSync } from 'node:fs'
import { scratchFolder } from '../config/scratch.ts'
import { freePort } from '../support/free-port.ts'
import { ForeignServer } from './foreign-program.ts'

/** Who may use it: user and password, or anybody on this machine. */
interface ProxyAbout {
  readonly login?: readonly [string, string]
  /** The ports that it opens tunnels to. */
  readonly tunnels: readonly number[]
}

export type StartProxy = (path: string, about: ProxyAbout) => Promise<ForeignServer>

/** Squid, in the foreground, with nothing cached and nothing kept. */
export const startSquid: StartProxy = async (path, { login, tunnels }) => {
  const port = await freePort()
  // It gives up root's rights.
  const folder = scratchFolder()
  chmodSync(folder, 0o777)
  const helper = `${folder}/login.sh`
  const [user, password] = login ?? []
  writeFileSync(
    helper,
    `while read -r user pass; do [ "$user $pass" = "${user} ${password}" ] && echo OK || echo ERR; done\n`,
  )
  const access =
    login === undefined
      ? 'http_access allow localhost'
      : `auth_param basic program /bin/sh ${helper}\nacl known proxy_auth REQUIRED\nhttp_access allow known`
  const file = `${folder}/squid.conf`
  writeFileSync(
    file,
    `http_port 127.0.0.1:${port}
pid_filename none
access_log none
cache_log ${folder}/cache.log
cache_store_log none
netdb_filename none
coredump_dir ${folder}
cache deny all
shutdown_lifetime 0 seconds
acl tunnels port ${tunnels.join(' ')}
acl asks_tunnel method CONNECT
http_access deny asks_tunnel !tunnels
${access}
http_access deny all
`,
  )
  return await ForeignServer.start(port, [path, '-N', '-f', file])
}

/** tinyproxy, in the foreground. */
export const startTinyproxy: StartProxy = async (path, { login, tunnels }) => {
  const port = await freePort()
  const folder = scratchFolder()
  const lines = [
    `Port ${port}`,
    'Listen 127.0.0.1',
    'Timeout 60',
    `LogFile "${folder}/log"`,
    'LogLevel Error',
    'MaxClients 50',
    'Allow 127.0.0.1',
    ...(login === undefined ? [] : [`BasicAuth ${login.join(' ')}`]),
    ...tunnels.map((tunnel) => `ConnectPort ${tunnel}`),
  ]
  const file = `${folder}/tinyproxy.conf`
  writeFileSync(file, `${lines.join('\n')}\n`)
  return await ForeignServer.start(port, [path, '-d', '-c', file])
}
