import { clockOfBrowser } from './browser.ts'
import { NOW, recordOf, sampleDesk, type SampleDesk } from './sample-desk.ts'

/** Names that no column is made for; the first one is a word of an id. */
export const LONG_NAMES = [
  'SHP-LONG-'.repeat(12),
  'https://files.example/very/long/address?with=parameters&and=more_of_them&'.repeat(3),
  'شحنة الأثاث الخارجي من شنغهاي إلى روتردام عبر قناة السويس '.repeat(3),
  '上海到鹿特丹的户外家具和花园椅子集装箱运输货物'.repeat(4),
  'Donaudampfschifffahrtsgesellschaftskapitänsmütze'.repeat(3),
]

/** The sample, with names that no column is made for. */
export function hostileDesk(): SampleDesk['context'] {
  const { context, store } = sampleDesk({ clock: clockOfBrowser() })
  const last = store.log.at(-1)
  if (last === undefined) throw new Error('The sample rang.')
  LONG_NAMES.forEach((name, nth) => {
    const object = {
      platform_shipment_id: name,
      name,
      status: 'awaiting_booking',
      main_tracking_dates: { arrival_date: { date: '2026-12-30T10:00:00Z', status: 'estimated' } },
      route: { origin_port_unlocode: name, destination_port_unlocode: 'NLRTM' },
      booking_information: { carrier: name, ocean_booking: { vessel: name } },
      purchase_order_references: [name],
      cargo: { containers: [{ container_number: name, container_type: name }] },
    }
    const status = 'awaiting_booking'
    store.details.unshift({
      ...recordOf('shipment', name, object),
      name,
      status,
      lastEventAt: NOW - 600_000 + nth,
      lastReadAt: NOW,
    })
    const subject = { ...last.subject, resource: 'shipment' as const, id: name }
    const shipment = last.shipment && { ...last.shipment, id: name, name }
    const id = nth === 0 ? 'evt_long' : `evt_long_${nth}`
    store.log.push({ ...last, id, account: 'acme', subject, shipment, timestamp: NOW, sequence: 90_000 + nth })
  })
  return context
}
