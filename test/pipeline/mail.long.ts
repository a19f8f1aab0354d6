import { expect, test, vi } from 'vitest'
import { MailServer } from '../support/mail-server.ts'
import { header, readMail } from '../deliver/channels/email/read-mail.ts'
import { Stage } from './stage.ts'
import { killed, stopped, WAIT } from './workplace.ts'

/** An hour that is not now, whenever the test runs. */
const HOUR = `${String((new Date().getUTCHours() + 12) % 24).padStart(2, '0')}:00`

const shipments = (status: string) =>
  Array.from({ length: 7 }, (_, index) => ({ platform_shipment_id: `SHP-${index}`, status }))

function finance(): string {
  const email = 'email: { to: [ap@example.com], from: shipbell@example.com }'
  return `  finance: { ${email}, digest: { at: "${HOUR}" }, events: ["shipment.*"] }`
}

test('a digest waits for its hour, and what a command asks for does not', async () => {
  const mail = await MailServer.start()
  await using stage = await Stage.open({ subscriptions: finance(), more: `smtp: ${mail.url()}` })
  const { work, platform } = stage
  platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'booked' }]
  await work.run('once')
  platform.shipments = [{ platform_shipment_id: 'SHP-1', status: 'in_progress' }]
  const once = await work.run('once')
  expect(once.code).toBe(0)
  expect(once.stdout).toMatch(/nothing undelivered\n1 waiting for the hour of a digest or the end of quiet hours\n$/)
  expect(mail.mails).toEqual([])
  const rows = await stage.deliveries('--subscription', 'finance')
  expect(rows).toMatchObject([{ state: 'pending', next_attempt_at: expect.stringContaining(`T${HOUR}:00`) }])
  const daemon = work.start('run')
  await daemon.prints(/admin interface on/)
  const tested = await work.run('subscriptions', 'test', 'finance')
  expect([tested.code, tested.stderr]).toEqual([0, ''])
  expect(header(mail.only, 'subject')).toMatch(/^A test of/)
  const retried = await work.run('deliveries', 'retry', rows[0]?.id ?? '')
  expect([retried.code, retried.stderr]).toEqual([0, ''])
  expect(mail.mails).toHaveLength(2)
  expect(readMail(mail.mails[1] ?? mail.only).text).toContain('went from booked to in progress')
  await stopped(daemon)
})

test('a digest whose sender is killed after the server took it is sent again as the same mail', async () => {
  const mail = await MailServer.start()
  await using stage = await Stage.open({ subscriptions: finance(), more: `smtp: ${mail.url()}` })
  const { work, platform } = stage
  platform.shipments = shipments('booked')
  await work.run('once')
  platform.shipments = shipments('in_progress')
  await work.run('once')
  const taken: typeof mail.mails = []
  const first = work.start('deliveries', 'retry', '--subscription', 'finance', '--since', '1h')
  mail.onMail = async (received) => {
    taken.push(received)
    if (taken.length > 1) return null
    await killed(first)
    return null
  }
  await first.ended
  const second = work.start('run')
  await vi.waitFor(async () => {
    const rows = await stage.deliveries('--subscription', 'finance')
    expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: 7 }, () => 'delivered'))
  }, WAIT)
  await stopped(second)
  const [original, repeated, ...more] = taken
  if (original === undefined || repeated === undefined) throw new Error('it was not sent again')
  expect(more).toEqual([])
  expect(header(original, 'subject')).toContain('7 events')
  expect(header(repeated, 'message-id')).toBe(header(original, 'message-id'))
  expect(readMail(repeated).text).toBe(readMail(original).text)
})
