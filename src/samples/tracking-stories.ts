import type { EventType } from '../model/event-catalogue.ts'
import type { Json } from '../model/json.ts'
import { edited } from './edited.ts'
import { TRACKING, TRACKING_EVENT } from './records.ts'
import { learnt, read, shown, type Step, type Story } from './story.ts'

const EVENTS = '/tracking_steps/0/events'

const EXPECTED = { ...TRACKING_EVENT, date: '2026-11-19T10:00:00Z', status: 'estimated' }

/** The tracking before and after its last change, which a read of 20 November 2026 shows. */
function changed(before: Readonly<Record<string, Json>>, after: Readonly<Record<string, Json>> = {}): readonly Step[] {
  return [
    learnt('2026-11-18T08:00:00Z', edited(TRACKING, before)),
    read('2026-11-20T16:00:00Z', edited(TRACKING, after)),
  ]
}

export const TRACKING_STORIES: Readonly<Record<Extract<EventType, `tracking.${string}`>, Story>> = {
  'tracking.event_added': () => changed({ [EVENTS]: [] }),
  'tracking.event_updated': () =>
    changed({ [EVENTS]: [EXPECTED] }, { [EVENTS]: [{ ...EXPECTED, date: '2026-11-20T10:00:00Z' }] }),
  'tracking.event_actualised': () => changed({ [EVENTS]: [EXPECTED] }),
  'tracking.event_retracted': () => changed({ [EVENTS]: [EXPECTED] }, { [EVENTS]: [] }),
  'tracking.status_changed': () => changed({ '/status': 'booked' }),
  'tracking.position_changed': () =>
    changed({ '/ocean_coordinates': [] }, { '/ocean_coordinates': [{ latitude: '31.23', longitude: '121.47' }] }),
  'tracking.updated': () => changed({ '/tracking_steps/1/location/opening_hours': '08:00-16:00' }),
  'tracking.snapshot': () => [learnt('2026-11-18T08:00:00Z', TRACKING), shown('2026-11-20T16:00:00Z')],
}
