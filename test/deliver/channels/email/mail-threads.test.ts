import { describe, expect, it } from 'vitest'
import type { EventType } from '../../../../src/model/event-catalogue.ts'
import type { ShipbellEvent } from '../../../../src/model/event.ts'
import { sampleEvent } from '../../../../src/samples/sample-event.ts'
import { MailServer, type ReceivedMail } from '../../../support/mail-server.ts'
import { claimed, mailer, NEVER } from './mailing.ts'
import { header, readMail } from './read-mail.ts'
import type { Batch } from '../../../../src/deliver/batches.ts'

let rung = 0

function about(type: EventType, shipment: string, more: Partial<ShipbellEvent> = {}): ShipbellEvent {
  const sample = sampleEvent(type)
  rung += 1
  const isOwn = sample.subject.resource === 'shipment' || sample.subject.resource === 'tracking'
  return {
    ...sample,
    id: `evt_${rung}`,
    subject: isOwn ? { ...sample.subject, id: shipment } : sample.subject,
    shipment: sample.shipment && { ...sample.shipment, id: shipment },
    object:
      sample.object && 'platform_shipment_id' in sample.object
        ? { ...sample.object, platform_shipment_id: shipment }
        : sample.object,
    ...more,
  }
}

interface Sent {
  readonly subscription?: string
  readonly from?: string
}

async function sent(
  events: readonly [ShipbellEvent, ...ShipbellEvent[]],
  { subscription = 'ops', from = 'bell@example.com' }: Sent = {},
): Promise<ReceivedMail> {
  const server = await MailServer.start()
  const [first, ...rest] = events
  const batch: Batch = [claimed(first, { subscription }), ...rest.map((event) => claimed(event, { subscription }))]
  const outcome = await mailer(server.url(), { from }).send(batch, NEVER)
  expect(outcome).toMatchObject({ kind: 'delivered' })
  return server.only
}

async function root(...args: Parameters<typeof sent>): Promise<string> {
  const mail = await sent(...args)
  const references = header(mail, 'references')
  expect(header(mail, 'in-reply-to')).toBe(references)
  expect(references).toMatch(/^<thread\.[0-9a-f]{24}@[a-z0-9.-]+>$/)
  expect(header(mail, 'message-id')).not.toBe(references)
  return references
}

describe('mails about one shipment', () => {
  it('are one thread, with those about its tracking, documents and invoices', async () => {
    const first = await root([about('shipment.created', 'SHP-1')])
    for (const type of ['shipment.eta_changed', 'tracking.event_added', 'document.added', 'invoice.overdue'] as const)
      expect(await root([about(type, 'SHP-1')])).toBe(first)
  })

  it('are no thread with those about another shipment, of another account or another subscription', async () => {
    const roots = [
      await root([about('shipment.created', 'SHP-1')]),
      await root([about('shipment.created', 'SHP-2')]),
      await root([about('shipment.created', 'SHP-1', { account: 'beta' })]),
      await root([about('shipment.created', 'SHP-1')], { subscription: 'finance' }),
      await root([about('purchase_order.created', 'SHP-1')]),
    ]
    expect(new Set(roots).size).toBe(roots.length)
  })

  it('that tell several events are in it, and in none where they are about several shipments', async () => {
    const one = [about('shipment.created', 'SHP-1'), about('shipment.eta_changed', 'SHP-1')] as const
    expect(await root(one)).toBe(await root([one[0]]))
    const { headers } = readMail(await sent([one[0], about('shipment.created', 'SHP-2')]))
    expect([headers.has('references'), headers.has('in-reply-to')]).toEqual([false, false])
  })
})

it('a mail names its list and that nobody wrote it', async () => {
  const mail = await sent([about('shipment.created', 'SHP-1')], { from: 'bell@bücher.example' })
  expect(header(mail, 'list-id')).toBe('<ops.shipbell.xn--bcher-kva.example>')
  expect(header(mail, 'auto-submitted')).toBe('auto-generated')
  expect(readMail(mail).headers.has('list-unsubscribe')).toBe(false)
})

it('nothing of a record stands in the headers of a thread', async () => {
  const id = 'SHP>\r\nBcc: victim@example.com'
  const mail = await sent([about('shipment.created', id)])
  const { headers } = readMail(mail)
  expect(headers.has('bcc')).toBe(false)
  for (const name of ['references', 'in-reply-to', 'list-id', 'message-id'])
    expect(header(mail, name)).toMatch(/^<[a-z0-9._@-]+>$/)
})
