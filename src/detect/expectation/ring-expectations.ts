import { formatInstant } from '../../model/instant.ts'
import type { ExpectationRule, ExpectedSubject } from '../../model/expectation.ts'
import type { JsonObject } from '../../model/json.ts'
import type { RecordState } from '../../model/record-state.ts'
import type { ShipmentSummary } from '../../model/shipment.ts'
import type { Finding } from '../claims.ts'
import type { Detected } from '../detect-input.ts'
import { draftEvents } from '../draft-events.ts'
import type { ExpectationTurn } from './judge-expectation.ts'

interface RingInput {
  readonly account: string
  readonly resource: ExpectedSubject
  readonly state: RecordState
  readonly turns: readonly RuleTurn[]
  /** When the events fire: their `timestamp`. */
  readonly firedAt: number
  /** The account's calendar. */
  readonly now: number
  /** The shipment that the record belongs to. */
  readonly shipment: ShipmentSummary | null
}

interface RuleTurn {
  readonly rule: Pick<ExpectationRule, 'name' | 'severity'>
  readonly turn: ExpectationTurn
}

/** Rings what became of the expectations of a record; silent turns ring nothing. */
export function ringExpectations({ account, firedAt, now, resource, shipment, state, turns }: RingInput): Detected {
  const read = { sentAt: firedAt, answeredAt: firedAt }
  const record = { account, resource, id: state.id, before: state, after: state.seen ?? {}, read, shipment } as const
  const findings = turns.filter(({ turn }) => !turn.isSilent).map((each) => findingOf(each, now))
  const { chain, events } = draftEvents({ ...record, mode: 'ring', absentAt: null, ignore: [] }, findings, state)
  return { state: { ...state, ...chain }, events }
}

function findingOf({ rule, turn }: RuleTurn, now: number): Finding {
  const by = formatInstant(turn.by)
  const common = { expectation: rule.name, by, severity: rule.severity }
  return {
    type: `expectation.${turn.kind}`,
    about: { kind: 'rule', edge: [rule.name, by] },
    cause: 'calendar',
    extras: { ...common, ...detailsOf(turn), at: turn.kind === 'missed' ? by : formatInstant(now) },
  }
}

function detailsOf(turn: ExpectationTurn): JsonObject {
  switch (turn.kind) {
    case 'missed':
      return {}
    case 'met':
      return { late_by: turn.lateSeconds }
    case 'withdrawn':
      return { reason: turn.reason }
    default:
      return turn satisfies never
  }
}
