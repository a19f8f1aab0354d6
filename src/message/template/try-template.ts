import type { EventType } from '../../model/event-catalogue.ts'
import type { ShipbellEvent } from '../../model/event.ts'
import { fullPayload } from '../../model/payload.ts'
import { messageOf, viewOf } from '../message.ts'
import type { OperatorTemplate } from './operator-template.ts'
import { AS_SENT } from '../wording/wording.ts'
import { passedBound, templateProblem, type TemplateProblem } from './template-problem.ts'
import { renderedBy } from './rendered-by.ts'

/** A problem that samples show, and the types whose samples show it. */
export interface TriedProblem extends TemplateProblem {
  readonly types: readonly [EventType, ...EventType[]]
}

type SampleOf = (type: EventType) => ShipbellEvent

/**
 * Renders a template with one sample of every type, where a variable that is not there is a problem. Each problem is reported
 * once. A template that passes a bound is tried no further, because every try would take as long.
 */
export function tryTemplate(
  template: OperatorTemplate,
  types: readonly EventType[],
  sampleOf: SampleOf,
): readonly TriedProblem[] {
  const found = new Map<string, TriedProblem>()
  for (const type of types) {
    const problem = tryOn(template, sampleOf(type))
    if (problem === null) continue
    const key = `${problem.line}:${problem.column}:${problem.message}`
    const known = found.get(key)
    found.set(key, { ...problem, types: known === undefined ? [type] : [...known.types, type] })
    if (passedBound(problem)) break
  }
  return [...found.values()]
}

function tryOn(template: OperatorTemplate, event: ShipbellEvent): TemplateProblem | null {
  const payload = fullPayload(event)
  try {
    renderedBy(
      { render: (view, reader) => template.renderStrictly(view, reader) },
      viewOf(payload, messageOf(payload)),
      AS_SENT,
    )
    return null
  } catch (error) {
    return templateProblem(error)
  }
}
