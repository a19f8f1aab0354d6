import type { ExpectedRecord, ExpectationState, KnownRule, WouldRing } from '../model/expectation.ts'
import { formatInstant } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'

/** Where one expectation of one record stands. */
export interface StandingExpectation extends Pick<ExpectationState, 'by' | 'state'> {
  readonly name: string
  readonly account: string
  readonly subject: Pick<ExpectedRecord, 'resource' | 'id'>
}

/** The expectations of a record, but for those of rules that are gone, or that it was not judged by yet. */
export function standingsOf(
  account: string,
  { generation, id, resource, states }: ExpectedRecord,
  rules: readonly KnownRule[],
): readonly StandingExpectation[] {
  return Object.entries(states).flatMap(([name, { by, state }]) => {
    const isJudged = rules.some((rule) => rule.name === name && rule.generation <= generation)
    return isJudged ? [{ name, account, subject: { resource, id }, by, state }] : []
  })
}

/** Where an expectation stands, as commands give it (guarantee E14). */
export function standingJson({ account, by, name, state, subject }: StandingExpectation): JsonObject {
  return { name, account, subject: { ...subject }, by: by === null ? null : formatInstant(by), state }
}

/** An event that a rule would have rung, as commands give it. */
export function wouldRingJson({ account, at, by, subject, type }: WouldRing): JsonObject {
  return { type, account, subject: { ...subject }, by: formatInstant(by), at: formatInstant(at) }
}
