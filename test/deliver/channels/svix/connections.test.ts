import { setImmediate as nextTurn } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { issueCertificate } from '../../../support/certificate.ts'
import { Dials } from '../../../support/dials.ts'
import { scripted } from '../../conformance/sending.ts'
import { hang, type ScriptedReceiver, status } from '../../scripted-receiver.ts'
import { SvixLedger } from './svix-ledger.ts'

const ACCEPTED = status(202, {}, '{"id":"msg_1"}')
const MADE = status(201, {}, '{}')

/** A Svix server that makes everything, and answers messages so. */
function answering(toMessage: ScriptedReceiver['answer']): ScriptedReceiver['answer'] {
  return (request) => (request.path.includes('/msg') ? toMessage : MADE)(request)
}

async function ledgerTo(url: string): Promise<SvixLedger> {
  const ledger = await SvixLedger.open({ channel: { server: url, concurrency: 2 } })
  await ledger.ring('evt_1')
  return ledger
}

describe('the deadline of an attempt', () => {
  it.each<[string, ScriptedReceiver['answer'], number]>([
    ['a message that is not answered', answering(hang), 3],
    ['an application that is not answered for', hang, 1],
  ])('ends %s', async (_, answer, requests) => {
    const receiver = await scripted(answer)
    const ledger = await ledgerTo(receiver.url)
    const delivered = ledger.deliver()
    await receiver.received(requests)
    await ledger.clock.advance(14_999)
    expect(await Promise.race([delivered, nextTurn('under way')])).toBe('under way')
    await ledger.clock.advance(1)
    const lastError = `${receiver.url} did not answer within 15s`
    expect(await delivered).toMatchObject({ state: 'pending', attempts: 1, lastStatus: null, lastError })
    receiver.answer = answering(ACCEPTED)
    await ledger.clock.advance(5_000)
    expect(await ledger.deliver()).toMatchObject({ state: 'delivered', attempts: 2 })
  })

  it('says the same to an attempt that waited for what another had asked', async () => {
    const receiver = await scripted(hang)
    const ledger = await ledgerTo(receiver.url)
    const stop = new AbortController()
    const running = ledger.deliverer.run(stop.signal)
    await receiver.received(1)
    await ledger.clock.advance(10_000)
    await ledger.ring('evt_2')
    ledger.deliverer.wake()
    await ledger.clock.advance(5_000)
    const error = `${receiver.url} did not answer within 15s`
    const seen = async (): Promise<unknown> => (await ledger.rows()).map(({ lastError }) => lastError)
    await expect.poll(seen).toEqual([error, error])
    stop.abort()
    await running
    expect(receiver.requests).toHaveLength(1)
  })
})

describe('a shutdown', () => {
  it.each<[string, ScriptedReceiver['answer'], number]>([
    ['a message', answering(hang), 3],
    ['what a message needs', hang, 1],
  ])('cuts %s without calling it failed; the row stays pending and due', async (_, answer, requests) => {
    const receiver = await scripted(answer)
    const ledger = await ledgerTo(receiver.url)
    const shutdown = new AbortController()
    const delivered = ledger.deliver(shutdown.signal)
    await receiver.received(requests)
    shutdown.abort()
    expect(await delivered).toMatchObject({ state: 'pending', attempts: 0, lastError: null })
    expect(await ledger.attempts()).toEqual([])
    receiver.answer = answering(ACCEPTED)
    await ledger.deliverer[Symbol.asyncDispose]()
  })
})

describe('an answer without end', () => {
  it('is kept to its beginning', async () => {
    const receiver = await scripted(answering(status(500, {}, 'y'.repeat(5_000_000))))
    const ledger = await ledgerTo(receiver.url)
    expect(await ledger.deliver()).toMatchObject({ state: 'pending', lastStatus: 500 })
    const [attempt] = await ledger.attempts()
    expect(attempt?.answer).toBe('y'.repeat(16 * 1024))
  })
})

describe('a server that does not answer at all', () => {
  it('is told in one sentence', async () => {
    const receiver = await scripted(({ response }) => response.socket?.destroy())
    const ledger = await ledgerTo(receiver.url)
    const { lastError } = await ledger.deliver()
    expect(lastError).toBe(`${receiver.url} closed the connection without an answer (UND_ERR_SOCKET)`)
  })
})

describe('the guard', () => {
  it('keeps a name that leads inside from being dialled', async () => {
    using dials = new Dials()
    const ledger = await SvixLedger.open({ channel: { server: 'http://svix.example' }, address: '10.0.0.7' })
    await ledger.ring('evt_1')
    const { lastError } = await ledger.deliver()
    expect(lastError).toMatch(
      /^Nothing was sent to http:\/\/svix\.example: 10\.0\.0\.7 \(an address of svix\.example\) is a private address/,
    )
    expect(dials.addresses).toEqual([])
  })
})

describe('over TLS', () => {
  const AUTHORITY = issueCertificate({ name: 'Our own authority', authority: true })
  const CERTIFICATE = issueCertificate({ name: 'svix.example', hosts: ['svix.example'], issuer: AUTHORITY })

  async function ledgerToTls(): Promise<{ readonly ledger: SvixLedger; readonly server: string }> {
    const receiver = await scripted(answering(ACCEPTED), '127.0.0.1', CERTIFICATE)
    const server = `https://svix.example:${receiver.port}`
    const ledger = await SvixLedger.open({ channel: { server }, address: '127.0.0.1' })
    await ledger.ring('evt_1')
    return { ledger, server }
  }

  it('an authority that nobody trusts is refused, with what can be done about it', async () => {
    const { ledger, server } = await ledgerToTls()
    expect((await ledger.deliver()).lastError).toBe(
      `No trusted authority stands behind the certificate of ${server} (UNABLE_TO_VERIFY_LEAF_SIGNATURE): it sends no intermediate certificate, so have it send the whole chain; where the authority is your own, put it into the system's trust store`,
    )
  })

  it('an authority that the system trusts is trusted', async () => {
    const system = getCACertificates('default')
    setDefaultCACertificates([...system, AUTHORITY.cert])
    onTestFinished(() => setDefaultCACertificates(system))
    const { ledger } = await ledgerToTls()
    expect(await ledger.deliver()).toMatchObject({ state: 'delivered', lastStatus: 202 })
  })
})
