import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import type { RecordDetail } from '../../src/store/ports/record-query-port.ts'
import { ask } from './ask.ts'
import { NOW, recordOf, sampleDesk } from './sample-desk.ts'
import { faultsOf } from './valid-html.ts'

const ESC = '\u001B'
const RIGHT_TO_LEFT = '\u202E'

/** Texts that want to be markup, to run, to colour a terminal, or to turn what stands beside them. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='alert(1)' autofocus='",
  '</title></textarea></pre></svg><h1>owned</h1>',
  '<svg/onload=alert(1)>&lt;b&gt;&#60;i&#62;',
  `${ESC}[31mred${ESC}[0m ${ESC}]8;;http://evil.example${ESC}\\`,
  `SHP-${RIGHT_TO_LEFT}gpj.exe\u2066\u200B\uFEFF`,
  'javascript:alert(1)',
  '\uD800 half a character \u0000\u0007\u0085',
  '..',
  'a/b?c#d%2F%25 e',
  '`shipbell discard everything`',
  'x'.repeat(5_000),
]

/** Every text of a record is the same hostile one. */
function hostileShipment(text: string): RecordDetail {
  const date = (value: string): JsonObject => ({ date: value, status: text })
  const object = {
    platform_shipment_id: text,
    name: text,
    status: text,
    incoterm: text,
    freight_mode: text,
    desired_delivery_date: text,
    route: { origin_port_unlocode: text, destination_port_unlocode: text },
    booking_information: { carrier: text, master_bill: text, ocean_booking: { vessel: text, voyage: text } },
    purchase_order_references: [text],
    cargo: { containers: [{ container_number: text, container_type: text, seal_number: text }] },
    main_tracking_dates: { arrival_date: date(text) },
    [text]: text,
  }
  const value = (at: string) => ({ date: at, status: text, seenAt: NOW - 1_000, toldAt: NOW - 900, eventId: text })
  return {
    ...recordOf('shipment', text, object),
    name: text,
    status: text,
    dates: { arrival: [value(text), value('2026-12-01T10:00:00Z'), value('2026-12-02T10:00:00Z')] },
  }
}

describe('records full of hostile text', () => {
  test.each(HOSTILE.map((text) => [JSON.stringify(text).slice(0, 40), text] as const))(
    '%s is text everywhere',
    async (_, text) => {
      const { context, store } = sampleDesk()
      const shipment = hostileShipment(text)
      const tracking = recordOf('tracking', text, {
        platform_shipment_id: text,
        status: text,
        tracking_steps: [
          {
            type: text,
            port: { city: text, unlocode: text },
            events: [{ description: text, container_number: text, date: text, status: text }],
          },
        ],
      })
      const belongs = (['invoice', 'document', 'purchase_order'] as const).map((resource) => ({
        ...recordOf(resource, text, {
          platform_shipment_id: text,
          name: text,
          number: text,
          supplier_name: text,
          type: text,
        }),
        name: text,
        status: text,
      }))
      store.details = [shipment, tracking, ...belongs]
      const [event] = store.log
      if (event === undefined) throw new Error('The sample rang.')
      store.log = [
        {
          ...event,
          account: 'acme',
          id: text,
          timestamp: NOW,
          subject: { ...event.subject, id: text },
          changes: [
            { path: `/${text.replaceAll('~', '~0').replaceAll('/', '~1')}`, from: text, to: `${text}!` },
            { path: '/a', from: { [text]: text }, to: [text] },
          ],
          shipment: {
            ...(event.shipment ?? { purchase_order_references: [], container_numbers: [] }),
            id: text,
            name: text,
            status: text,
            freight_mode: text,
            master_bill: text,
            house_bill: text,
          },
        },
      ]
      store.slid = [
        {
          account: text,
          shipment: text,
          name: text,
          milestone: 'arrival',
          first: 0,
          now: 1e9,
          driftMinutes: 1_000,
          revisions: 2,
          movedAt: NOW,
          carrier: text,
          lane: text,
        },
      ]
      store.kept = [{ key: text, n: 9, nearFirst: 3, nearLast: 5, medianDriftMinutes: 90 }]
      const [hold] = store.held
      store.held = hold === undefined ? [] : [{ ...hold, sample: [text] }]
      store.quarantined = [{ account: 'acme', resource: 'document', id: text, reason: text }]
      store.endpointOverviews = store.endpointOverviews.map((each) => ({ ...each, lastError: text, failuresInARow: 9 }))

      const id = encodeURIComponent(text.toWellFormed())
      const query = `?q=${id}&status=${id}&carrier=${id}&lane=${id}&account=${id}&cursor=&seen=${id}`
      const paths = [
        '/',
        '/records/shipment',
        `/records/shipment${query}`,
        '/slips',
        `/slips${query}`,
        `/search${query}`,
        '/reliability',
        `/reliability${query}`,
      ]
      store.details.push({ ...shipment, id: 'plain' })
      for (const path of [
        ...paths,
        '/records/shipment/acme/plain',
        ...(text === '..' ? [] : [`/records/shipment/acme/${id}`]),
      ]) {
        const { status, text: page } = await ask(context, path)
        // A filter that no list takes is said beside its field.
        const isRefused = path.includes('?') && status === 422
        const isJudged = !isRefused && (text.isWellFormed() || !path.includes('%'))
        expect([path, status]).toEqual([path, isJudged ? 200 : status])
        if (!path.includes('?')) expect(await faultsOf(page)).toEqual([])
        // What the pages themselves are made of: nothing else opens a tag, and no attribute runs anything.
        expect(page).not.toMatch(/<(?:script(?! type="module" src="\/assets\/desk\.js")|img|iframe|h1>owned|b>|i>)/)
        expect(page.replaceAll(/="[^"]*"/g, '=""')).not.toMatch(/<[^<>]*\son\w+\s*=/)
        expect(page).not.toMatch(/href="(?![/#])/)
        expect(page.replaceAll(/value="[^"]*"/g, '')).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
      }
    },
  )
})
