import { isDeepStrictEqual } from 'node:util'
import { summaryFacts } from '../../message/facts/shipment-facts.ts'
import { wordingOf } from '../../message/wording/wording.ts'
import type { LoggedEvent } from '../../model/event.ts'
import { summaryWithoutOmitted } from '../../model/omit.ts'
import type { ShipmentSummary } from '../../model/shipment.ts'
import type { PeoplesChannel } from '../../model/subscription.ts'
import { isSeenApart } from './outline-judge.ts'

type Shown = Pick<PeoplesChannel, 'language' | 'omit' | 'templates'>

/**
 * Whether our messages of their own tell otherwise of which shipment an event is and what is in it, as they leave out other things. That takes no
 * record: what messages say of a shipment beside its route and carrier stands with the event.
 */
export function namedApart(old: Shown, other: Shown): (event: LoggedEvent) => boolean {
  if (isDeepStrictEqual(old.omit, other.omit)) return () => false
  return ({ shipment, subject, type }) => {
    if (subject.resource !== 'shipment' || shipment === null) return false
    if (old.templates.has(type) || other.templates.has(type)) return false
    const [facts, others] = [factsFor(shipment, old), factsFor(shipment, other)]
    return facts.some((fact, nth) => isSeenApart(fact, others[nth] ?? ''))
  }
}

function factsFor(shipment: ShipmentSummary, { language, omit }: Shown): readonly string[] {
  const shown = { ...summaryWithoutOmitted(shipment, omit) }
  const { contents, mode, named, status } = summaryFacts(shown, wordingOf({ language, timeZone: null }))
  return [named, mode, status, ...contents].map((fact) => (fact === null ? '' : fact.value))
}
