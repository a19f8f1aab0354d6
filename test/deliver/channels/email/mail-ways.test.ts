import { describe, expect, it } from 'vitest'
import { issueCertificate } from '../../../support/certificate.ts'
import { LoopbackProxy } from '../../../support/loopback-proxy.ts'
import { MailServer } from '../../../support/mail-server.ts'
import { batch, mailer, NEVER } from './mailing.ts'

const AUTHORITY = issueCertificate({ name: 'Authority of the mail server', authority: true })
const SERVER = issueCertificate({ name: 'mail', hosts: ['127.0.0.1'], issuer: AUTHORITY })
const CLIENT = issueCertificate({ name: 'shipbell', issuer: AUTHORITY })
const TRUSTED = { ca: AUTHORITY.cert, cert: null, key: null }
const LOGIN = { authMethods: ['PLAIN'], authOptional: false, allowInsecureAuth: true }

async function proxied(login?: string) {
  const proxy = await LoopbackProxy.start()
  return { proxy, way: { address: proxy.address(login), allowUnresolved: true } }
}

describe('mail through a proxy', () => {
  it.each([true, false])('is handed in over TLS, through one tunnel for several mails (smtps: %s)', async (secure) => {
    const server = await MailServer.start({ ...LOGIN, key: SERVER.key, cert: SERVER.cert, secure })
    const { proxy, way } = await proxied('bell:pa55-w0rd')
    proxy.login = 'bell:pa55-w0rd'
    const sender = mailer(server.url('bell:other-pass'), { proxy: way, tls: TRUSTED })
    for (let count = 0; count < 2; count += 1)
      expect(await sender.send(batch({}), NEVER)).toMatchObject({ kind: 'delivered' })
    expect(proxy.lines).toEqual([`CONNECT 127.0.0.1:${server.port}`])
    expect(server.mails.map((mail) => [mail.secure, mail.user])).toEqual([
      [true, 'bell'],
      [true, 'bell'],
    ])
  })

  it('is never logged in for in clear, although the proxy is on this machine', async () => {
    const server = await MailServer.start({ ...LOGIN, disabledCommands: ['STARTTLS'] })
    const { way } = await proxied()
    const outcome = await mailer(server.url('bell:other-pass'), { proxy: way }).send(batch({}), NEVER)
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.stringMatching(/STARTTLS/) })
    expect(server.logins).toBe(0)
  })

  it('that the proxy refuses is said to be refused by the proxy', async () => {
    const server = await MailServer.start()
    const { proxy, way } = await proxied()
    proxy.manner = { says: 'HTTP/1.1 403 Forbidden\r\n\r\n' }
    const sender = mailer(server.url(), { proxy: way })
    expect(await sender.send(batch({}), NEVER)).toMatchObject({
      kind: 'failed',
      status: null,
      error: `The proxy ${proxy.origin} does not let Shipbell through to the mail server 127.0.0.1:${server.port} (403): have it allow that host and port`,
    })
    proxy.manner = 'hangs'
    const impatient = mailer(server.url(), { proxy: way, timeoutMs: 100 })
    expect(await impatient.send(batch({}), NEVER)).toMatchObject({
      error: `the mail server 127.0.0.1:${server.port} (through the proxy ${proxy.origin}) did not answer within 100ms`,
    })
    expect(server.connections).toBe(0)
  })
})

describe('the tls of a mail server', () => {
  const wantsClient = { requestCert: true, rejectUnauthorized: true, ca: AUTHORITY.cert }

  it.each([true, false])('names its authority and shows it a client certificate (smtps: %s)', async (secure) => {
    const server = await MailServer.start({ ...wantsClient, key: SERVER.key, cert: SERVER.cert, secure })
    const shown = { ...TRUSTED, cert: CLIENT.cert, key: CLIENT.key }
    expect(await mailer(server.url(), { tls: shown }).send(batch({}), NEVER)).toMatchObject({ kind: 'delivered' })
    expect(await mailer(server.url(), { tls: TRUSTED }).send(batch({}), NEVER)).toMatchObject({ kind: 'failed' })
    expect(server.mails).toHaveLength(1)
  })
})
