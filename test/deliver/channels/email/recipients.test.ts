import { describe, expect, it } from 'vitest'
import { refusal } from '../../../support/mail-server.ts'
import { amount, PARIS } from './digest-desk.ts'
import { MailDesk, type DeskOptions } from './mail-desk.ts'
import { header } from './read-mail.ts'

const MINUTE = 60_000
const TO = ['a@example.com', 'b@example.com', 'c@example.com']

/** A desk with mails to three, whose server says to each recipient what `replies` has of them at the time. */
async function desk(replies: Map<string, string>, options: Partial<DeskOptions> = {}): Promise<MailDesk> {
  const { channel, ...others } = options
  return await MailDesk.open({
    start: '2026-11-21T06:00:00Z',
    channel: { to: TO, ...channel },
    retryMs: [MINUTE, MINUTE, MINUTE],
    server: {
      onRcptTo: ({ address }, _session, callback) => {
        const reply = replies.get(address)
        callback(reply === undefined ? null : refusal(reply))
      },
    },
    ...others,
  })
}

/** What rang is gathered for some seconds. */
const first = async (at: MailDesk) => {
  at.clock.jump(at.clock.now() + 6_000)
  return await at.deliver()
}

const later = async (at: MailDesk) => {
  at.clock.jump(at.clock.now() + MINUTE)
  return await at.deliver()
}

const EVERY_DAY = { digest: PARIS }

describe('a recipient who is refused for now', () => {
  it('is tried again alone, over a restart too, and nobody gets the mail twice', async () => {
    const replies = new Map([['b@example.com', '450 4.2.0 Greylisted']])
    const at = await desk(replies)
    await at.ring()
    expect((await first(at)).map(({ to }) => to)).toEqual([['a@example.com', 'c@example.com']])
    expect(await at.rows()).toMatchObject([
      {
        state: 'pending',
        attempts: 1,
        lastStatus: 450,
        lastError: expect.stringMatching(/b@example\.com \(450 .*Greyl/),
      },
    ])
    expect(await later(at)).toEqual([])
    replies.clear()
    expect((await later(at)).map(({ to }) => to)).toEqual([['b@example.com']])
    expect(await at.rows()).toMatchObject([{ state: 'delivered', attempts: 3, lastStatus: 250, lastError: null }])
    const [whole, alone] = at.server.mails.map((mail) => header(mail, 'message-id'))
    expect(alone).toBe(whole)
    expect(await later(at)).toEqual([])
  })

  it('is tried again alone where an address holds what is a secret elsewhere', async () => {
    const replies = new Map([['b@example.com', '450 4.2.0 Greylisted']])
    const at = await desk(replies, { channel: { hidden: ['a@example.com', 'b@example.com'] } })
    await at.ring()
    await first(at)
    replies.clear()
    expect((await later(at)).map(({ to }) => to)).toEqual([['b@example.com']])
  })

  it.each([
    ['B@Example.COM', 'B@example.com'],
    // The server of this test shows domains in Unicode, whatever it is sent.
    ['b@Bücher.example', 'b@bücher.example'],
    ['b@xn--bcher-kva.example', 'b@bücher.example'],
  ])('is tried again alone, however the address is written: %s', async (written, sent) => {
    const replies = new Map([[sent, '450 4.2.0 Greylisted']])
    const at = await desk(replies, { channel: { to: ['a@EXAMPLE.com', written] } })
    await at.ring()
    expect((await first(at)).map(({ to }) => to)).toEqual([['a@example.com']])
    expect(await at.rows()).toMatchObject([{ state: 'pending', lastError: expect.stringContaining(`${written} (450`) }])
    replies.set(sent, '550 5.1.1 No such mailbox')
    expect(await later(at)).toEqual([])
    const named = expect.stringContaining(`for good for ${written} (550`)
    expect(await at.rows()).toMatchObject([{ state: 'delivered', lastError: named }])
    expect(at.server.mails).toHaveLength(1)
  })

  it('is answered without a secret, also where the answer is cut within one', async () => {
    const secret = 'pass-word-0123456789-0123456789'
    const at = await desk(new Map([['b@example.com', `450 ${'.'.repeat(270)} ${secret}${'.'.repeat(99)}`]]), {
      channel: { hidden: [secret] },
    })
    await at.ring()
    await first(at)
    const [{ id, lastError } = { id: '', lastError: '' }] = await at.rows()
    expect(JSON.stringify([lastError, await at.store.attempts(id)])).not.toContain('pass-word')
    expect(lastError).toContain('b@example.com (450')
  })

  it('says nothing against the server, which took the mail for the others', async () => {
    const at = await desk(new Map([['b@example.com', '452 4.2.2 Mailbox full']]))
    for (let n = 0; n < 6; n += 1) {
      await at.ring()
      await first(at)
    }
    expect((await at.store.endpoints())[0]).toMatchObject({ failuresInARow: 0, lastError: null })
    for (let n = 0; n < 4; n += 1) await later(at)
    expect(new Set(await at.states())).toEqual(new Set(['exhausted']))
    expect(at.server.mails.map(({ to }) => to)).toEqual(
      Array.from({ length: 6 }, () => ['a@example.com', 'c@example.com']),
    )
  })

  it('gets what a command sends again, and no one else does', async () => {
    const replies = new Map([['b@example.com', '451 Not now']])
    const at = await desk(replies, { retryMs: [] })
    const [row = ''] = await at.ring()
    await first(at)
    expect(await at.states()).toEqual(['exhausted'])
    replies.clear()
    await at.ring(1)
    at.clock.jump(at.clock.now() + MINUTE)
    await at.store.retry([row], { at: at.clock.now(), delivered: false })
    expect(new Set((await later(at)).map(({ to }) => to.join(' ')))).toEqual(new Set([TO.join(' '), 'b@example.com']))
    // Everybody has it now: asked for once more, it goes to all.
    await at.store.retry([row], { at: at.clock.now(), delivered: true })
    expect((await later(at)).map(({ to }) => to)).toEqual([TO])
  })

  it('alone is tried again where the configuration writes the others otherwise by then', async () => {
    const replies = new Map([['b@example.com', '450 Not now']])
    const at = await desk(replies)
    await at.ring()
    await first(at)
    replies.clear()
    at.subscriptions = at.subscriptions.map((each) => ({
      ...each,
      channel: { ...each.channel, to: ['a@Example.com', 'b@EXAMPLE.com', 'c@example.COM'] },
    }))
    expect((await later(at)).map(({ to }) => to)).toEqual([['b@example.com']])
    expect(await at.states()).toEqual(['delivered'])
  })

  it('is no longer waited for once the configuration does not name it any more', async () => {
    const at = await desk(new Map([['b@example.com', '450 Not now']]))
    await at.ring()
    await first(at)
    at.subscriptions = at.subscriptions.map((each) => ({
      ...each,
      channel: { ...each.channel, to: ['a@example.com', 'c@example.com'] },
    }))
    expect(await later(at)).toEqual([])
    expect(await at.states()).toEqual(['delivered'])
  })
})

describe('a recipient who is refused for good', () => {
  it('is named in the row, which is delivered once all others have the mail', async () => {
    const replies = new Map([
      ['b@example.com', '450 4.2.0 Greylisted'],
      ['c@example.com', '550 5.1.1 No such mailbox'],
    ])
    const at = await desk(replies)
    const [row = ''] = await at.ring()
    await first(at)
    const both = /b@example\.com \(450 .*Greylisted\).*c@example\.com \(550 .*No such mailbox\)/
    expect(await at.rows()).toMatchObject([{ state: 'pending', lastError: expect.stringMatching(both) }])
    replies.delete('b@example.com')
    expect((await later(at)).map(({ to }) => to)).toEqual([['b@example.com']])
    const named = expect.stringMatching(/for good for c@example\.com \(550 .*No such mailbox\)/)
    expect(await at.rows()).toMatchObject([{ state: 'delivered', lastStatus: 250, lastError: named }])
    expect((await at.store.attempts(row)).map(({ error }) => error)).toEqual([expect.stringMatching(both), named])
    replies.clear()
    await at.store.retry([row], { at: at.clock.now(), delivered: true })
    expect((await later(at)).map(({ to }) => to)).toEqual([['c@example.com']])
  })

  it('is named where nobody else was asked for, too', async () => {
    const at = await desk(new Map(TO.map((address) => [address, '550 5.1.1 No such mailbox'])))
    await at.ring()
    await first(at)
    const all = expect.stringMatching(
      new RegExp(TO.map((address) => `${address} \\(550 .*No such mailbox\\)`).join(', ')),
    )
    expect(await at.rows()).toMatchObject([{ state: 'exhausted', lastError: all }])
  })

  it('is named as the configuration has it, though the address is sent in quotation marks', async () => {
    const at = await desk(new Map(), { channel: { to: ['a@example.com', 'b..c@example.com'] } })
    await at.ring()
    await first(at)
    const named = expect.stringContaining('for good for b..c@example.com (501')
    expect(await at.rows()).toMatchObject([{ state: 'delivered', lastError: named }])
  })

  it('exhausts the row where nobody is left', async () => {
    const replies = new Map(TO.map((address) => [address, '550 5.1.1 No such mailbox']))
    const at = await desk(replies)
    await at.ring()
    replies.set('b@example.com', '450 4.2.0 Greylisted')
    await first(at)
    expect(await at.states()).toEqual(['pending'])
    replies.set('b@example.com', '550 5.1.1 No such mailbox')
    await later(at)
    const error = expect.stringMatching(/a@example\.com.*c@example\.com.*b@example\.com/)
    expect(await at.rows()).toMatchObject([{ state: 'exhausted', attempts: 2, lastError: error }])
  })
})

describe('a mail that is too big', () => {
  it.each(['552 5.3.4 Message size exceeds fixed limit', '552 Too much mail data', '523 the mail is too long'])(
    'goes in halves, which is no attempt: %s',
    async (reply) => {
      const at = await desk(new Map(), { channel: EVERY_DAY, retryMs: [] })
      await at.ring(11)
      at.server.onMail = (mail) => (amount(mail) > 3 ? reply : null)
      const mails = await at.deliverAt('2026-11-21T07:00:00Z')
      expect(mails.map(amount).reduce((sum, each) => sum + each, 0)).toBe(11)
      expect(mails.every((mail) => amount(mail) <= 3)).toBe(true)
      const rows = await at.rows()
      expect(rows.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(rows.map(() => 'delivered 1'))
    },
  )

  it('for one recipient goes in halves to that one alone; an event that is too big by itself is exhausted', async () => {
    const at = await desk(new Map(), { channel: { ...EVERY_DAY, to: ['a@example.com'] }, retryMs: [] })
    const ids = await at.ring(5)
    at.server.onMail = ({ raw }) => (raw.includes('SHP-4') ? '554 5.2.3 Message too large for this mailbox' : null)
    await at.deliverAt('2026-11-21T07:00:00Z')
    const exhausted = (await at.rows()).filter(({ state }) => state === 'exhausted')
    expect(exhausted.map(({ id }) => id)).toEqual([ids[3]])
    expect(at.server.mails.map(amount).reduce((sum, each) => sum + each, 0)).toBe(4)
  })

  it('by what one recipient says goes whole to the others, and in halves to that one', async () => {
    const replies = new Map([['b@example.com', '552 5.2.3 Message exceeds the limit of this mailbox']])
    const at = await desk(replies, { channel: EVERY_DAY, retryMs: [] })
    await at.ring(4)
    at.server.onMail = () => {
      replies.delete('b@example.com')
      return null
    }
    const mails = await at.deliverAt('2026-11-21T07:00:00Z')
    expect(mails.map((mail) => [amount(mail), mail.to])).toEqual([
      [4, ['a@example.com', 'c@example.com']],
      [2, ['b@example.com']],
      [2, ['b@example.com']],
    ])
    const rows = await at.rows()
    expect(rows.map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(rows.map(() => 'delivered 1'))
    expect(rows.every(({ lastError }) => lastError === null)).toBe(true)
  })
})
