import { describe, expect, it, vi } from 'vitest'
import { header } from './read-mail.ts'
import { MailDesk } from './mail-desk.ts'

const SECOND = 1_000

/** A desk whose daemon runs until the test ends it. */
async function running(): Promise<MailDesk & { readonly stop: () => Promise<void> }> {
  const desk = await MailDesk.open({ start: '2026-11-21T10:00:00Z' })
  const ended = new AbortController()
  const deliverer = desk.deliverer()
  const run = deliverer.run(ended.signal)
  const stop = async (): Promise<void> => {
    ended.abort()
    await run
    await deliverer[Symbol.asyncDispose]()
  }
  return Object.assign(desk, { stop })
}

describe('mail as it happens', () => {
  it('is a mail for each of five events, once nothing has come for five seconds', async () => {
    const desk = await running()
    await desk.ring(3)
    await desk.clock.advance(3 * SECOND)
    await desk.ring(2)
    await desk.clock.advance(4 * SECOND)
    expect(desk.server.mails).toEqual([])
    await desk.clock.advance(2 * SECOND)
    await vi.waitFor(async () => {
      await desk.clock.advance(SECOND)
      expect(desk.server.mails).toHaveLength(5)
    })
    await desk.stop()
    expect(await desk.states()).toEqual(Array.from({ length: 5 }, () => 'delivered'))
  })

  it('is one mail where more come in a burst', async () => {
    const desk = await running()
    for (let part = 0; part < 3; part += 1) {
      await desk.ring(3)
      await desk.clock.advance(3 * SECOND)
    }
    expect(desk.server.mails).toEqual([])
    await desk.clock.advance(3 * SECOND)
    await vi.waitFor(() => expect(desk.server.mails).toHaveLength(1))
    await desk.stop()
    expect(header(desk.server.only, 'subject')).toBe('acme: 9 events')
    expect(await desk.states()).toEqual(Array.from({ length: 9 }, () => 'delivered'))
  })

  it('waits a minute at most for a burst that goes on', async () => {
    const desk = await running()
    for (let second = 0; second < 59; second += 3) {
      await desk.ring(1)
      await desk.clock.advance(3 * SECOND)
    }
    await desk.clock.advance(3 * SECOND)
    await vi.waitFor(() => expect(desk.server.mails).toHaveLength(1))
    await desk.stop()
  })

  it('`once` waits for the burst to end and leaves nothing behind', async () => {
    const desk = await MailDesk.open({ start: '2026-11-21T10:00:00Z' })
    await desk.ring(2)
    const delivered = desk.deliver()
    await vi.waitFor(async () => {
      await desk.clock.advance(SECOND)
      expect(desk.server.mails).toHaveLength(2)
    })
    await delivered
    expect(await desk.states()).toEqual(['delivered', 'delivered'])
  })

  it('of which one is refused tells the others all the same', async () => {
    const desk = await MailDesk.open({ start: '2026-11-21T10:00:00Z' })
    await desk.ring(3)
    desk.clock.jump(desk.clock.now() + 10 * SECOND)
    desk.server.onMail = ({ raw }) => (raw.includes('SHP-2') ? '554 Looks like spam' : null)
    await desk.deliver()
    expect(await desk.states()).toEqual(['delivered', 'exhausted', 'delivered'])
  })

  it('repeats a burst as it was', async () => {
    const desk = await MailDesk.open({ start: '2026-11-21T10:00:00Z' })
    await desk.ring(8)
    desk.server.onMail = () => '421 Later'
    await desk.deliverAt('2026-11-21T10:00:10Z')
    desk.clock.jump(Date.parse('2026-11-21T10:01:00Z'))
    await desk.ring(1)
    desk.server.onMail = () => null
    const mails = await desk.deliverAt('2026-11-21T10:01:20Z')
    const subjects = mails.map((mail) => header(mail, 'subject')).toSorted()
    expect(subjects).toHaveLength(2)
    expect(subjects[1]).toBe('acme: 8 events')
  })
})
