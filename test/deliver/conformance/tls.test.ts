import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer as createPlainServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates, type TlsOptions, type TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SendOutcome } from '../../../src/deliver/channels/channel.ts'
import type { TlsSettings } from '../../../src/model/subscription.ts'
import { issueCertificate, type Issued } from '../../support/certificate.ts'
import { sampleBatch } from '../sample-event.ts'
import { type ScriptedReceiver, status } from '../scripted-receiver.ts'
import { NEVER, scripted, senderTo } from './sending.ts'

const HOST = 'erp.example'
const AUTHORITY = issueCertificate({ name: 'Our own authority', authority: true })
const OTHER_AUTHORITY = issueCertificate({ name: 'Another authority', authority: true })
const ENDPOINT = issueCertificate({ name: HOST, hosts: [HOST, '127.0.0.1', '::1'], issuer: AUTHORITY })
const CLIENT = issueCertificate({ name: 'shipbell', issuer: AUTHORITY })
const OTHER_CLIENT = issueCertificate({ name: 'shipbell', issuer: OTHER_AUTHORITY })
const TRUSTED: TlsSettings = { ca: AUTHORITY.cert, cert: null, key: null }

const issued = (request: Partial<Parameters<typeof issueCertificate>[0]>): Issued =>
  issueCertificate({ name: HOST, hosts: [HOST], issuer: AUTHORITY, ...request })

interface Exchange {
  readonly server: TlsOptions
  readonly tls: TlsSettings | null
  readonly host?: string
}

async function loopback(): Promise<readonly LookupAddress[]> {
  return await Promise.resolve([{ address: '127.0.0.1', family: 4 }])
}

/** One attempt over TLS at `host`, which the resolver answers with loopback. */
async function exchange({ server, tls, host = HOST }: Exchange): Promise<{ outcome: SendOutcome; origin: string }> {
  const receiver = await scripted(status(200), host === '[::1]' ? '::1' : '127.0.0.1', server)
  return await attempt(`https://${host}:${receiver.port}`, tls)
}

async function attempt(origin: string, tls: TlsSettings | null): Promise<{ outcome: SendOutcome; origin: string }> {
  return { origin, outcome: await senderTo(origin, { tls }, { resolve: loopback }).send(sampleBatch(), NEVER) }
}

describe('over TLS, an endpoint is reached', () => {
  it.each<[string, Exchange]>([
    ['whose authority tls.ca names', { server: ENDPOINT, tls: TRUSTED }],
    [
      'whose authority is one of several in tls.ca',
      { server: ENDPOINT, tls: { ...TRUSTED, ca: OTHER_AUTHORITY.cert + AUTHORITY.cert } },
    ],
    ['whose own certificate is in tls.ca', { server: issued({ issuer: AUTHORITY }), tls: TRUSTED }],
    ['that is an IPv4 address in its certificate', { server: ENDPOINT, tls: TRUSTED, host: '127.0.0.1' }],
    ['that is an IPv6 address in its certificate', { server: ENDPOINT, tls: TRUSTED, host: '[::1]' }],
    [
      'that asks for a client certificate',
      {
        server: { ...ENDPOINT, ca: AUTHORITY.cert, requestCert: true, rejectUnauthorized: true },
        tls: { ...TRUSTED, cert: CLIENT.cert, key: CLIENT.key },
      },
    ],
  ])('%s', async (_, row) => {
    expect((await exchange(row)).outcome).toMatchObject({ kind: 'delivered', status: 200 })
  })

  it('whose authority the system trusts, with another one in tls.ca', async () => {
    const system = getCACertificates('default')
    setDefaultCACertificates([...system, AUTHORITY.cert])
    onTestFinished(() => setDefaultCACertificates(system))
    const { outcome } = await exchange({ server: ENDPOINT, tls: { ...TRUSTED, ca: OTHER_AUTHORITY.cert } })
    expect(outcome).toMatchObject({ kind: 'delivered' })
  })

  it('with its name in SNI, and resumes the session on the next connection', async () => {
    const receiver = await scripted(status(200, { connection: 'close' }), '127.0.0.1', ENDPOINT)
    const seen: { name: unknown; resumed: boolean; client: string }[] = []
    receiver.onConnection = (socket: TLSSocket) =>
      seen.push({ name: socket.servername, resumed: socket.isSessionReused(), client: socket.getProtocol() ?? '' })
    const sender = senderTo(`https://${HOST}:${receiver.port}`, { tls: TRUSTED }, { resolve: loopback })
    for (let count = 0; count < 2; count += 1) await sender.send(sampleBatch(), NEVER)
    expect(seen).toEqual([
      { name: HOST, resumed: false, client: 'TLSv1.3' },
      { name: HOST, resumed: true, client: 'TLSv1.3' },
    ])
  })
})

/** TLS 1.2 says it while connecting; TLS 1.3 hangs up, and whether its alert is read first is a race. */
const REFUSED_CLIENT =
  /^ORIGIN (does not accept the client certificate, or lacks one|closed the connection without an answer) .*see tls\.cert$/

describe('over TLS, nothing is sent', () => {
  const wantsClient = { ...ENDPOINT, ca: AUTHORITY.cert, requestCert: true, rejectUnauthorized: true }
  it.each<[string, Exchange, RegExp]>([
    [
      'to a certificate that signs itself',
      { server: issueCertificate({ name: HOST, hosts: [HOST] }), tls: null },
      /^No trusted authority stands behind the certificate of ORIGIN \(DEPTH_ZERO_SELF_SIGNED_CERT\): where it is your own, name it in tls\.ca$/,
    ],
    [
      'to an authority that nobody named',
      { server: ENDPOINT, tls: null },
      /^No trusted authority stands behind the certificate of ORIGIN \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)/,
    ],
    [
      'to another authority than the one named',
      { server: ENDPOINT, tls: { ...TRUSTED, ca: OTHER_AUTHORITY.cert } },
      /^No trusted authority stands behind the certificate of ORIGIN/,
    ],
    [
      'to an expired certificate',
      { server: issued({ to: new Date('2024-01-01') }), tls: TRUSTED },
      /^The certificate of ORIGIN, or of its authority, has expired \(CERT_HAS_EXPIRED\)$/,
    ],
    [
      'to a certificate that is not valid yet',
      { server: issued({ from: new Date('2048-01-01') }), tls: TRUSTED },
      /^The certificate of ORIGIN, or of its authority, is not valid yet \(CERT_NOT_YET_VALID\)$/,
    ],
    [
      'to a certificate of another host name',
      { server: issued({ hosts: ['www.erp.example'] }), tls: TRUSTED },
      /^The certificate of ORIGIN is for another host name \(ERR_TLS_CERT_ALTNAME_INVALID\)$/,
    ],
    [
      'to an IP address that is not in the certificate',
      { server: issued({ hosts: [HOST] }), tls: TRUSTED, host: '127.0.0.1' },
      /^The certificate of ORIGIN is for another host name/,
    ],
    ['without the client certificate that is asked for', { server: wantsClient, tls: TRUSTED }, REFUSED_CLIENT],
    [
      'without the client certificate that is asked for in TLS 1.2',
      { server: { ...wantsClient, maxVersion: 'TLSv1.2' }, tls: TRUSTED },
      /^No TLS connection to ORIGIN came about \(ERR_SSL_.*HANDSHAKE_FAILURE\): it may want a client certificate/,
    ],
    [
      'with a client certificate of an authority unknown there',
      { server: wantsClient, tls: { ...TRUSTED, cert: OTHER_CLIENT.cert, key: OTHER_CLIENT.key } },
      REFUSED_CLIENT,
    ],
    [
      'where no version of TLS is common',
      { server: { ...ENDPOINT, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' }, tls: TRUSTED },
      /^No TLS connection to ORIGIN came about \(ERR_SSL_.*or another TLS version$/,
    ],
    [
      'where HTTP/2 alone is spoken',
      { server: { ...ENDPOINT, ALPNProtocols: ['h2'] }, tls: TRUSTED },
      /^ORIGIN does not speak HTTP\/1\.1; it may speak HTTP\/2 only$/,
    ],
  ])('%s', async (_, row, sentence) => {
    const { outcome, origin } = await exchange(row)
    const error = 'error' in outcome ? outcome.error.replace(origin, 'ORIGIN') : ''
    expect(error).toMatch(sentence)
    expect(outcome).toMatchObject({ kind: 'failed', status: null, answer: null })
  })

  it('to an endpoint that speaks plain HTTP', async () => {
    const server = createPlainServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const { outcome, origin } = await attempt(`https://${HOST}:${port}`, TRUSTED)
    expect(outcome).toHaveProperty('error', `${origin} does not speak TLS on that port (ERR_SSL_WRONG_VERSION_NUMBER)`)
  })

  it('where NODE_TLS_REJECT_UNAUTHORIZED switches verification off', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    onTestFinished(() => void vi.unstubAllEnvs())
    const receiver: ScriptedReceiver = await scripted(status(200), '127.0.0.1', ENDPOINT)
    for (const tls of [null, { ca: OTHER_AUTHORITY.cert, cert: null, key: null }]) {
      const { outcome } = await attempt(`https://${HOST}:${receiver.port}`, tls)
      expect(outcome).toHaveProperty('error', expect.stringContaining('No trusted authority'))
    }
    expect(receiver.requests).toHaveLength(0)
  })
})
