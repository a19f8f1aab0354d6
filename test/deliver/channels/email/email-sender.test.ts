import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../../src/clock.ts'
import type { SendOutcome } from '../../../../src/deliver/channels/channel.ts'
import { issueCertificate } from '../../../support/certificate.ts'
import { MailServer, refusal } from '../../../support/mail-server.ts'
import { mailer, NEVER, batch } from './mailing.ts'
import { header, readMail } from './read-mail.ts'

const AUTHORITY = issueCertificate({ name: 'Authority of the mail server', authority: true })
const STRANGER = issueCertificate({ name: 'Another authority', authority: true })
const CERTIFICATE = issueCertificate({ name: 'mail.example', hosts: ['127.0.0.1'], issuer: AUTHORITY })

const SYSTEM = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...SYSTEM, AUTHORITY.cert]))
afterAll(() => setDefaultCACertificates(SYSTEM))

/** A server that takes one login over any connection. */
const LOGIN = {
  authMethods: ['PLAIN', 'LOGIN'],
  authOptional: false,
  allowInsecureAuth: true,
  onAuth: (auth, _session, callback) => {
    const right = auth.username === 'bell' && auth.password === 'p@ss:word'
    if (right) callback(null, { user: 'bell' })
    else callback(refusal(`535 5.7.8 ${auth.password} is wrong`))
  },
} satisfies Parameters<typeof MailServer.start>[0]
const CREDENTIALS = 'bell:p%40ss%3Aword'

const GREETING = 'greeting'

/** A server that says what `answers` say to what begins so, after the greeting; null: it hangs up, undefined: nothing. */
async function scriptedServer(answers: (line: string) => string | null | undefined): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    const say = (line: string): void => {
      const answer = answers(line)
      if (answer === null) socket.destroy()
      else if (answer !== undefined) socket.write(`${answer}\r\n`)
    }
    say(GREETING)
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').slice(0, -1)) say(line)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return `smtp://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`
}

/** The usual answers, but for lines that begin so. */
function but(...exceptions: readonly [string, string | null | undefined][]) {
  const usual: readonly [string, string | undefined][] = [
    [GREETING, '220 mail.example'],
    ['EHLO', '250 mail.example'],
    ['MAIL', '250 ok'],
    ['RCPT', '250 ok'],
    ['DATA', '354 go on'],
    ['.', '250 taken'],
    ['RSET', '250 ok'],
  ]
  return (line: string): string | null | undefined => {
    const found = [...exceptions, ...usual].find(([begin]) =>
      begin.length > 1 ? line.startsWith(begin) : line === begin,
    )
    return found?.[1]
  }
}

const onRcptTo = (replies: Readonly<Record<string, string>>): Parameters<typeof MailServer.start>[0] => ({
  onRcptTo: ({ address }, _session, callback) => {
    const reply = Object.hasOwn(replies, address) ? replies[address] : undefined
    callback(reply === undefined ? null : refusal(reply))
  },
})

const failed = (error: RegExp): object => ({
  kind: 'failed',
  status: null,
  answer: null,
  error: expect.stringMatching(error),
})

describe('a mail', () => {
  it('goes to every recipient, from the sender, as text and HTML, made by a machine', async () => {
    const server = await MailServer.start()
    const sender = mailer(server.url(), { to: ['ap@example.com', 'ops@example.com'] })
    expect(await sender.send(batch({}), NEVER)).toEqual({
      kind: 'delivered',
      status: 250,
      answer: expect.stringMatching(/^250 /),
    })
    const mail = server.only
    expect(mail).toMatchObject({ from: 'shipbell@example.com', to: ['ap@example.com', 'ops@example.com'] })
    expect(header(mail, 'from')).toBe('Shipbell <shipbell@example.com>')
    expect(header(mail, 'to')).toBe('ap@example.com, ops@example.com')
    expect(header(mail, 'auto-submitted')).toBe('auto-generated')
    expect(header(mail, 'subject')).toBe('Status draft → booked · Ünïcode ☃')
    const { text, html } = readMail(mail)
    expect(text).toContain('Ünïcode ☃ (SHP-1) went from draft to booked.')
    expect(html).toContain('Ünïcode ☃ (SHP-1) went from draft to booked.')
  })

  it('goes over a connection that is kept for the next one', async () => {
    const server = await MailServer.start()
    const sender = mailer(server.url())
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await sender.send(batch({ id }), NEVER)
    expect(server.mails).toHaveLength(3)
    expect(server.sessions.size).toBe(1)
  })

  it('goes over a new connection once the kept one is a minute old, so that a server that moves is followed', async () => {
    const server = await MailServer.start()
    let now = 0
    const sender = mailer(server.url(), {}, { clock: { ...systemClock, monotonic: () => now } })
    for (const id of ['evt_1', 'evt_2', 'evt_3']) {
      await sender.send(batch({ id }), NEVER)
      now += 40_000
    }
    expect(server.mails).toHaveLength(3)
    expect(server.sessions.size).toBe(2)
  })

  it('goes over a new connection where the server dropped the kept one', async () => {
    const server = await MailServer.start()
    const sender = mailer(server.url())
    await sender.send(batch({ id: 'evt_1' }), NEVER)
    server.hangUp()
    expect(await sender.send(batch({ id: 'evt_2' }), NEVER)).toMatchObject({ kind: 'delivered' })
  })

  it('has the same Message-ID whenever it is sent, and another event has another', async () => {
    const server = await MailServer.start()
    const ids: string[] = []
    for (const id of ['evt_1', 'evt_1', 'evt_2']) {
      await mailer(server.url()).send(batch({ id }), NEVER)
      ids.push(header(server.mails.at(-1) ?? server.only, 'message-id'))
    }
    expect(ids[0]).toMatch(/^<evt_1\.[0-9a-f]{24}@example\.com>$/)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
  })
})

describe('TLS', () => {
  const tls = { key: CERTIFICATE.key, cert: CERTIFICATE.cert }

  it('is taken up where it is offered', async () => {
    const server = await MailServer.start(tls)
    expect(await mailer(server.url()).send(batch({}), NEVER)).toMatchObject({ kind: 'delivered' })
    expect(server.only.secure).toBe(true)
  })

  it('is there from the first byte with smtps', async () => {
    const server = await MailServer.start({ ...tls, ...LOGIN, secure: true, allowInsecureAuth: false })
    expect(await mailer(server.url(CREDENTIALS)).send(batch({}), NEVER)).toMatchObject({ kind: 'delivered' })
    expect(server.only).toMatchObject({ secure: true, user: 'bell' })
  })

  it.each([
    [
      'of an authority that is not trusted',
      { name: 'mail', hosts: ['127.0.0.1'], issuer: STRANGER },
      /name it in `tls\.ca` of `smtp`/,
    ],
    ['for another host', { name: 'mail', hosts: ['mail.example'], issuer: AUTHORITY }, /another host name/],
    [
      'that has expired',
      { name: 'mail', hosts: ['127.0.0.1'], issuer: AUTHORITY, to: new Date('2021-01-01') },
      /not valid/,
    ],
  ])('is refused where the certificate is one %s', async (_, request, error) => {
    const { key, cert } = issueCertificate(request)
    for (const secure of [true, false]) {
      const server = await MailServer.start({ ...tls, key, cert, secure })
      const outcome = await mailer(server.url()).send(batch({}), NEVER)
      expect(outcome).toMatchObject({ kind: 'failed', status: null, error: expect.stringMatching(error) })
      expect(outcome).not.toHaveProperty('permanent')
      expect(server.mails).toEqual([])
    }
  })
})

describe('a login', () => {
  it('is sent in clear on this machine only', async () => {
    const server = await MailServer.start(LOGIN)
    expect(await mailer(server.url(CREDENTIALS)).send(batch({}), NEVER)).toMatchObject({ kind: 'delivered' })
    expect(server.only).toMatchObject({ secure: false, user: 'bell' })
  })

  const [other] = Object.values(networkInterfaces()).flatMap((each) =>
    (each ?? []).filter(({ family, internal }) => family === 'IPv4' && !internal),
  )

  it.skipIf(other === undefined)('is never sent in clear to another machine', async () => {
    const server = await MailServer.start({ ...LOGIN, disabledCommands: ['STARTTLS'] }, '0.0.0.0')
    const url = server.url(CREDENTIALS).replace('127.0.0.1', other?.address ?? '')
    expect(await mailer(url).send(batch({}), NEVER)).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/STARTTLS/),
    })
    expect(server.logins).toBe(0)
    expect(await mailer(url.replace(`${CREDENTIALS}@`, '')).send(batch({}), NEVER)).toMatchObject({
      error: expect.stringMatching(/530/),
    })
  })

  it('that is wrong fails without its password in the ledger, and is tried again', async () => {
    const server = await MailServer.start(LOGIN)
    const outcome = await mailer(server.url('bell:wrong-pass')).send(batch({}), NEVER)
    expect(outcome).toMatchObject({ kind: 'failed', status: 535 })
    expect(outcome).not.toHaveProperty('permanent')
    expect(JSON.stringify(outcome)).not.toContain('wrong-pass')
  })
})

describe('what a server refuses', () => {
  it.each([
    [
      '550 No such mailbox',
      { permanent: true, status: 550, error: /answered 550 to the recipients, for good: .*No such mailbox/ },
    ],
    ['450 Mailbox busy', { status: 450, error: /answered 450 to the recipients: .*Mailbox busy/ }],
  ])('at the recipient: %s', async (reply, { error, ...expected }) => {
    const server = await MailServer.start(onRcptTo({ 'ap@example.com': reply }))
    const outcome = await mailer(server.url()).send(batch({}), NEVER)
    expect(outcome).toMatchObject({ kind: 'failed', ...expected, error: expect.stringMatching(error) })
    expect('permanent' in outcome).toBe('permanent' in expected)
  })

  it.each([
    ['552 Too large', true],
    ['554 Looks like spam', true],
    ['451 Try again later', false],
    ['421 Closing', false],
  ])('after it has read the mail: %s', async (reply, permanent) => {
    const server = await MailServer.start()
    server.onMail = () => reply
    const outcome = await mailer(server.url()).send(batch({}), NEVER)
    expect(outcome).toMatchObject({ kind: 'failed', status: Number(reply.slice(0, 3)) })
    expect('permanent' in outcome).toBe(permanent)
  })

  it.each([
    ['550 You may not', true],
    ['530 5.7.0 Must issue a STARTTLS command first', false],
    ['452 Full', false],
  ])('at the sender: %s', async (reply, permanent) => {
    const server = await MailServer.start({ onMailFrom: (_address, _session, callback) => callback(refusal(reply)) })
    const outcome = await mailer(server.url()).send(batch({}), NEVER)
    expect(outcome).toMatchObject({
      kind: 'failed',
      status: Number(reply.slice(0, 3)),
      error: expect.stringContaining('to the sender'),
    })
    expect('permanent' in outcome).toBe(permanent)
  })

  it('at the greeting is about the server, not about the mail', async () => {
    const server = await scriptedServer(but([GREETING, '554 No service here']))
    const outcome = await mailer(server).send(batch({}), NEVER)
    expect(outcome).toMatchObject({ kind: 'failed', status: 554 })
    expect(outcome).not.toHaveProperty('permanent')
  })

  it('for some recipients is delivered to the others, and says to whom it was not', async () => {
    const server = await MailServer.start(onRcptTo({ 'gone@example.com': '550 No such mailbox' }))
    const outcome = await mailer(server.url(), { to: ['ap@example.com', 'gone@example.com'] }).send(batch({}), NEVER)
    expect(outcome).toMatchObject({
      kind: 'delivered',
      status: 250,
      answer: expect.stringMatching(/refused for gone@example\.com \(550 .*No such mailbox\)$/),
    })
    expect(server.only.to).toEqual(['ap@example.com'])
  })

  it('leaves the connection as it was: the next mail arrives', async () => {
    const server = await MailServer.start()
    const sender = mailer(server.url())
    server.onMail = () => '554 Looks like spam'
    await sender.send(batch({}), NEVER)
    server.onMail = () => null
    expect(await sender.send(batch({}), NEVER)).toMatchObject({ kind: 'delivered' })
  })
})

describe('without an answer', () => {
  it('a server that is not there', async () => {
    expect(await mailer('smtp://127.0.0.1:1').send(batch({}), NEVER)).toEqual({
      ...failed(/refused the connection/),
      retryAfterMs: null,
    })
  })

  it('a host that is not known', async () => {
    expect(await mailer('smtp://mail.invalid').send(batch({}), NEVER)).toMatchObject(
      failed(/host name of the mail server mail\.invalid:587 cannot be resolved/),
    )
  })

  it('a connection that is cut while the mail is read', async () => {
    const server = await scriptedServer(but(['Content-Type', null]))
    expect(await mailer(server).send(batch({}), NEVER)).toMatchObject(
      failed(/closed the connection before it had taken the mail/),
    )
  })

  it('a connection that is cut at once', async () => {
    const server = await scriptedServer(but([GREETING, null]))
    expect(await mailer(server).send(batch({}), NEVER)).toMatchObject(failed(/closed the connection/))
  })

  it.each([
    ['greets', GREETING],
    ['answers EHLO', 'EHLO'],
    ['answers the recipient', 'RCPT'],
    ['answers the mail', '.'],
  ])('a server that never %s, at the deadline', async (_, silent) => {
    const server = await scriptedServer(but([silent, undefined]))
    const outcome = await mailer(server, { timeoutMs: 100 }).send(batch({}), NEVER)
    expect(outcome).toMatchObject(failed(/did not answer within 100ms/))
  })

  it('a server that trickles, at the deadline', async () => {
    const server = await MailServer.start()
    server.onMail = async () => await new Promise(() => undefined)
    expect(await mailer(server.url(), { timeoutMs: 150 }).send(batch({}), NEVER)).toMatchObject(failed(/within 150ms/))
  })
})

describe('a shutdown', () => {
  it('cuts an attempt whose answer has not come, and drops its connection', async () => {
    const server = await MailServer.start()
    const shutdown = new AbortController()
    server.onMail = async () => {
      shutdown.abort()
      return await new Promise<null>(() => undefined)
    }
    const sender = mailer(server.url())
    expect(await sender.send(batch({}), shutdown.signal)).toEqual({ kind: 'cut' })
    await sender[Symbol.asyncDispose]()
    expect(await sender.send(batch({}), NEVER)).toMatchObject({ kind: 'failed' })
  })

  it('after the answer came changes nothing', async () => {
    const server = await MailServer.start()
    const shutdown = new AbortController()
    const sending = mailer(server.url()).send(batch({}), shutdown.signal)
    const outcome: SendOutcome = await sending.finally(() => shutdown.abort())
    expect(outcome).toMatchObject({ kind: 'delivered' })
  })

  it('that began before the attempt leaves nothing sent', async () => {
    const server = await MailServer.start()
    expect(await mailer(server.url()).send(batch({}), AbortSignal.abort())).toEqual({ kind: 'cut' })
    expect(server.mails).toEqual([])
  })
})
