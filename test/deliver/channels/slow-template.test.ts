import { expect, it } from 'vitest'
import type { MessageTemplate } from '../../../src/model/message-template.ts'
import { sampleEvent } from '../sample-event.ts'
import { MailDesk } from './email/mail-desk.ts'
import { readMail } from './email/read-mail.ts'
import { SlackLedger } from './slack/slack-ledger.ts'

/** A template of the sample event that takes as long as it may, of which it keeps count. */
function slowTemplate() {
  const slow = {
    renders: 0,
    template: {
      file: 'slow.liquid',
      source: '',
      render: () => {
        slow.renders += 1
        throw new Error('template render limit exceeded')
      },
    } satisfies MessageTemplate,
    get templates() {
      return new Map([[sampleEvent().type, slow.template]])
    },
  }
  return slow
}

it('a digest tries a template that passed a bound once, not for each of its events', async () => {
  const slow = slowTemplate()
  const digest = { atMinutes: 480, timeZone: 'UTC' }
  const at = await MailDesk.open({ start: '2026-11-20T10:00:00Z', channel: { digest, templates: slow.templates } })
  await at.ring(50)
  await at.deliver()
  const [mail] = await at.deliverAt('2026-11-21T08:00:00Z')
  expect(slow.renders).toBe(1)
  expect(readMail(mail ?? at.server.only).text).toContain('went from draft to booked')
})

it('so does a burst in Slack, and the next message tries it anew', async () => {
  const slow = slowTemplate()
  const ledger = await SlackLedger.open()
  const { channel, ...rest } = ledger.subscription
  if (channel.kind !== 'slack') throw new Error('another channel')
  ledger.subscription = { ...rest, channel: { ...channel, templates: slow.templates } }
  await ledger.ring(50)
  await ledger.drain()
  expect([ledger.headlines, slow.renders]).toEqual([['50 shipment events of acme'], 1])
  await ledger.ring(1)
  await ledger.drain()
  expect(slow.renders).toBe(2)
})
