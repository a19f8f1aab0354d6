import { chmodSync, chownSync, copyFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Stage } from '../pipeline/stage.ts'
import { freePort } from '../support/free-port.ts'
import { PostgresServer } from '../support/postgres-server.ts'
import { installed, unless } from './foreign-program.ts'
import { ownCertificate } from './openssl-authority.ts'

const OPENSSL = installed('openssl')
const NOBODY = 65_534

test.skipIf(OPENSSL === null)(
  `a database is reached over TLS by whoever trusts the authority of its certificate${unless(OPENSSL, 'apt-get install openssl')}`,
  async () => {
    const own = ownCertificate(OPENSSL ?? '')
    const port = await freePort()
    await using server = await PostgresServer.start({ port })
    for (const name of ['cert.pem', 'key.pem']) {
      const file = `${server.folder}/${name}`
      copyFileSync(`${own.folder}/${name}`, file)
      // PostgreSQL takes no key that others may read.
      chmodSync(file, 0o600)
      if (process.getuid?.() === 0) chownSync(file, NOBODY, NOBODY)
    }
    await server.stop()
    server.configure([
      'listen_addresses=127.0.0.1,127.0.0.2',
      'ssl=on',
      `ssl_cert_file=${server.folder}/cert.pem`,
      `ssl_key_file=${server.folder}/key.pem`,
    ])
    await server.start()

    await using stage = await Stage.open()
    const { work } = stage
    const once = async (host: string, query: string) => {
      stage.configure({ more: `storage: { url: "postgres://shipbell@${host}:${port}/postgres${query}" }` })
      return await work.run('once')
    }
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      expect(await once('localhost', `?sslmode=${mode}`)).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/^The database localhost:\d+\/postgres cannot be reached \(.*certificate.*\n$/),
      })
      expect(await once('localhost', `?sslmode=${mode}&sslrootcert=${own.folder}/ca.pem`)).toMatchObject({ code: 0 })
    }
    work.environment = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    expect(await once('localhost', '?sslmode=verify-full')).toMatchObject({ code: 3 })
    expect(await once('localhost', '?sslmode=verify-full&sslrootcert=none.pem')).toMatchObject({
      code: 3,
      stderr:
        'The file none.pem, which sslrootcert of storage.url names, cannot be read (ENOENT): correct its path, or its rights.\n',
    })
    work.environment = { SSL_CERT_FILE: `${own.folder}/ca.pem` }
    expect(await once('localhost', '?sslmode=verify-full')).toMatchObject({ code: 0 })
    expect(await once('127.0.0.2', '?sslmode=verify-full')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("IP: 127.0.0.2 is not in the cert's list"),
    })
  },
)
