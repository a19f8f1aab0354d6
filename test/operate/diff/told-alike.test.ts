import { describe, expect, it } from 'vitest'
import type { LoggedEvent } from '../../../src/model/event.ts'
import { withoutOmitted } from '../../../src/model/omit.ts'
import { payloadBytes } from '../../../src/model/payload.ts'
import { isLeftAlike } from '../../../src/operate/diff/left-alike.ts'
import {
  compareClocks,
  compareMoments,
  compareNames,
  compareOmitted,
  compareRecordDates,
  EMAIL,
  EVENTS,
  SLACK,
  withTexts,
} from './told-compared.ts'

const LEFT_OUT = [
  undefined,
  ['/note'],
  ['/status'],
  ['/no_such_field'],
  ['/link'],
  ['invoice:/amount', '/main_tracking_dates/arrival_date'],
  ['shipment:/name'],
  ['/*'],
]
const PAIRS = LEFT_OUT.flatMap((old) => LEFT_OUT.map((other) => ({ old, new: other })))

function sent(event: LoggedEvent, omit: readonly string[] | undefined): string {
  return payloadBytes(withoutOmitted(event, omit), { payload: 'full', format: 'standard' }).bytes.toString()
}

describe.each([...EVENTS, ...EVENTS.map(withTexts)].map((event) => [event.type, event] as const))('%s', (_, event) => {
  it('is left alike where the payloads are the same text', () => {
    const texts = new Map(LEFT_OUT.map((omit) => [omit, sent(event, omit)]))
    const said = PAIRS.map((pair) => isLeftAlike(event, pair))
    const truth = PAIRS.map((pair) => texts.get(pair.old) === texts.get(pair.new))
    expect(said).toEqual(truth)
    const withoutBefore = PAIRS.map((pair) => isLeftAlike({ ...event, before: null }, pair, false))
    expect(withoutBefore.map((each, nth) => each ?? truth[nth])).toEqual(truth)
  })
})

// The long suite has the other chats, digests, and mails of every type.
compareMoments([SLACK, EMAIL])
compareNames([SLACK])
compareRecordDates([SLACK])
compareOmitted([SLACK])
compareClocks([SLACK], EVENTS)
compareClocks(
  [EMAIL],
  EVENTS.filter((_, nth) => nth % 8 === 0),
)
