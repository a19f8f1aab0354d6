import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { scratchFolder } from '../config/scratch.ts'
import { freePort } from '../support/free-port.ts'
import { ForeignServer } from './foreign-program.ts'
import type { OwnCertificate } from './openssl-authority.ts'

/** Debian's user of whom nothing is asked. */
const NOBODY = 65_534

/** What a Postfix of one port needs: no local mailboxes, no queue runner of the system's instance. */
const SERVICES = `pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
tlsmgr unix - - n 1000? 1 tlsmgr
proxymap unix - - n - - proxymap
postlog unix-dgram n - n - 1 postlogd
`

export interface Postfix {
  readonly port: number
  /** The mails in the box of example.com, as they were delivered. */
  mails(): readonly string[]
}

/** In bytes. */
const LARGEST_MAIL = 20_000

/**
 * An instance of its own, with its folders below one of ours. It takes mail for example.com, after STARTTLS only, and puts off
 * `later@example.com`.
 */
export async function startPostfix(path: string, { folder: pems }: OwnCertificate): Promise<Postfix> {
  const port = await freePort()
  const folder = scratchFolder()
  for (const name of ['conf', 'queue', 'data', 'box']) mkdirSync(`${folder}/${name}`)
  chmodSync(folder, 0o755)
  chownSync(`${folder}/data`, userId('postfix'), 0)
  chownSync(`${folder}/box`, NOBODY, NOBODY)
  const settings = {
    compatibility_level: '3.6',
    queue_directory: `${folder}/queue`,
    data_directory: `${folder}/data`,
    maillog_file: `${folder}/log`,
    maillog_file_prefixes: folder,
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    myhostname: 'mail.shipbell.test',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    local_recipient_maps: '',
    alias_maps: '',
    alias_database: '',
    disable_dns_lookups: 'yes',
    virtual_mailbox_domains: 'example.com',
    virtual_mailbox_base: `${folder}/box`,
    virtual_mailbox_maps: 'inline:{ap@example.com=all/}',
    virtual_uid_maps: `static:${NOBODY}`,
    virtual_gid_maps: `static:${NOBODY}`,
    smtpd_recipient_restrictions:
      'check_recipient_access inline:{{later@example.com = 450 4.2.0 Greylisted}}, permit_mynetworks, reject_unauth_destination',
    message_size_limit: String(LARGEST_MAIL),
    smtpd_tls_cert_file: `${pems}/cert.pem`,
    smtpd_tls_key_file: `${pems}/key.pem`,
    smtpd_tls_security_level: 'encrypt',
  }
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}\n`)
  writeFileSync(`${folder}/conf/main.cf`, lines.join(''))
  writeFileSync(`${folder}/conf/master.cf`, `127.0.0.1:${port} inet n - n - - smtpd\n${SERVICES}`)
  await ForeignServer.start(port, [path, '-c', `${folder}/conf`, 'start-fg'])
  // It is in a process group of its own, which it ends when it is asked to.
  onTestFinished(() => void process.kill(Number(readFileSync(`${folder}/queue/pid/master.pid`, 'utf8')), 'SIGTERM'))
  const box = `${folder}/box/all/new`
  return { port, mails: () => filesIn(box).map((name) => readFileSync(`${box}/${name}`, 'utf8')) }
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function userId(name: string): number {
  return Number(spawnSync('id', ['-u', name], { encoding: 'utf8' }).stdout)
}
