import { describe, expect, test } from 'vitest'
import type { ProxySettings } from '../../src/model/subscription.ts'
import { sampleEvent } from '../deliver/sample-event.ts'
import { batch, mailer, NEVER } from '../deliver/channels/email/mailing.ts'
import { installed, unless } from './foreign-program.ts'
import { ownCertificate } from './openssl-authority.ts'
import { startPostfix } from './start-postfix.ts'
import { startSquid, startTinyproxy } from './start-proxy.ts'

const POSTFIX = process.getuid?.() === 0 ? installed('postfix') : null
const OPENSSL = installed('openssl')
const PROXIES = [
  { start: startSquid, path: installed('squid') },
  { start: startTinyproxy, path: installed('tinyproxy') },
].filter(({ path }) => path !== null)

describe.skipIf(POSTFIX === null || OPENSSL === null)(
  `a real Postfix${unless(POSTFIX, 'apt-get install postfix, as root')}`,
  () => {
    test('takes mail over STARTTLS, directly and through proxies, and what it refuses is told apart', async () => {
      const own = ownCertificate(OPENSSL ?? '')
      const postfix = await startPostfix(POSTFIX ?? '', own)
      const server = `smtp://localhost:${postfix.port}`
      const tls = { ca: own.ca, cert: null, key: null }
      for (const proxy of [null, ...(await proxiesTo(postfix.port))])
        expect(await mailer(server, { tls, proxy }).send(batch({}), NEVER)).toMatchObject({
          kind: 'delivered',
          status: 250,
          answer: expect.stringContaining('queued as'),
        })
      await expect.poll(() => postfix.mails().length, { timeout: 20_000 }).toBe(1 + PROXIES.length)
      expect(postfix.mails()[0]).toContain('SHP-1')

      const several = mailer(server, { tls, to: ['ap@example.com', 'later@example.com', 'nobody@example.com'] })
      expect(await several.send(batch({}), NEVER)).toMatchObject({
        kind: 'failed',
        status: 450,
        partly: true,
        error: expect.stringMatching(/yet .*later@example\.com \(450 4\.2\.0 .*nobody@example\.com \(550 5\.1\.1 /),
        progress: expect.stringMatching(/^\{"taken":\["ap@example\.com"\],"refused":\{"nobody@example\.com":"550 /),
      })
      const large = batch(
        ...Array.from({ length: 300 }, (_, n) => ({
          id: `evt_${n}`,
          subject: { ...sampleEvent().subject, id: `SHP-${n}` },
        })),
      )
      const { parts = [] } = await mailer(server, { tls }).send(large, NEVER)
      expect(parts.length).toBeGreaterThan(1)
      expect(parts.map(({ outcome }) => outcome.kind)).toEqual(parts.map(() => 'delivered'))
      expect(parts.flatMap((part) => part.batch)).toEqual(large)

      const stranger = mailer(server, { tls, to: ['nobody@example.com'] })
      expect(await stranger.send(batch({}), NEVER)).toMatchObject({ kind: 'failed', status: 550, permanent: true })
      expect(await mailer(server).send(batch({}), NEVER)).toMatchObject({
        status: null,
        error: expect.stringMatching(/^No trusted authority .* name it in `tls\.ca` of `smtp`$/),
      })
    })
  },
)

/** Each that is installed, with a tunnel to this port. */
async function proxiesTo(port: number): Promise<readonly ProxySettings[]> {
  return await Promise.all(
    PROXIES.map(async ({ start, path }) => {
      const proxy = await start(path ?? '', { tunnels: [port] })
      return { address: `http://127.0.0.1:${proxy.port}`, allowUnresolved: true }
    }),
  )
}
