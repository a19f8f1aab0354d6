import { detectChange } from '../detect/detect-change.ts'
import type { ExpectationTurn } from '../detect/expectation/judge-expectation.ts'
import { ringExpectations } from '../detect/expectation/ring-expectations.ts'
import type { EventType } from '../model/event-catalogue.ts'
import type { EventDraft } from '../model/event.ts'
import { SAMPLE_ACCOUNT } from '../model/sample-account.ts'
import { SHIPMENT, SHIPMENT_ID } from './records.ts'

const RULE = { name: 'packing-list', severity: 'warning' } as const

/** Three days before the shipment departs. */
const BY = Date.parse('2026-11-17T14:00:00Z')
const HOUR_MS = 3_600_000

const MISSED: ExpectationTurn = { kind: 'missed', by: BY, isSilent: false }
const ENDS: Readonly<Record<Extract<EventType, `expectation.${string}`>, ExpectationTurn | null>> = {
  'expectation.missed': null,
  'expectation.met': { kind: 'met', by: BY, lateSeconds: 26 * 3_600, isSilent: false },
  'expectation.withdrawn': { kind: 'withdrawn', by: BY, reason: 'moved', isSilent: false },
}

/** No packing list by when it was expected, and what becomes of that. */
export function expectationSample(type: keyof typeof ENDS): EventDraft {
  const read = { sentAt: BY - 400, answeredAt: BY }
  const facts = { account: SAMPLE_ACCOUNT, resource: 'shipment', id: SHIPMENT_ID, shipment: null } as const
  const known = { before: null, after: SHIPMENT, read, mode: 'silent', absentAt: null, ignore: [] } as const
  const { state } = detectChange({ ...facts, ...known })
  const missed = ringExpectations({
    ...facts,
    state,
    turns: [{ rule: RULE, turn: MISSED }],
    firedAt: BY + 2_000,
    now: BY + 2_000,
  })
  const end = ENDS[type]
  const at = BY + 26 * HOUR_MS
  const ended =
    end && ringExpectations({ ...facts, state: missed.state, turns: [{ rule: RULE, turn: end }], firedAt: at, now: at })
  const [event] = (ended ?? missed).events
  if (event === undefined) throw new RangeError(`${type} has no sample.`)
  return event
}
