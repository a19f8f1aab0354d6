import { z } from 'zod'
import { EXPECTATION_SEVERITIES, EXPECTED_SUBJECTS, type ExpectationRule } from '../model/expectation.ts'
import { compileExpectation } from '../route/expectation/compile-expectation.ts'
import { issueOf } from './schema-parts.ts'
import { choice, filledList, text } from './values.ts'

/** YAML makes a truth of `true`; the language has the same word for it. */
const condition = z.union([z.boolean().transform(String), text])

/** Something that is expected of each record of a kind. */
export const expectation = z
  .strictObject({
    about: choice(EXPECTED_SUBJECTS).describe('What it is expected of: each shipment, purchase order or invoice.'),
    when: condition.prefault('true').describe('Whether it is expected of a record, in CEL; always by default.'),
    by: text.describe('The instant by which it is expected, in CEL: `before(DATE, "3d")` for example; null waits.'),
    until: condition.prefault('false').describe('Whether it has happened, in CEL; by default it never has.'),
    severity: choice(EXPECTATION_SEVERITIES).prefault('warning').describe('How bad it is that it is missed.'),
    accounts: filledList(text, '[acme]').optional().describe('The accounts whose records it is about; all by default.'),
  })
  .superRefine((keys, context) => {
    const compiled = compileExpectation(ruleOf('', keys))
    if (compiled.kind === 'rule') return
    for (const { key, message, offset } of compiled.problems) {
      const hidden = 'cannot be used: the value of a variable in it is not shown'
      context.addIssue(issueOf(`cannot be used: ${message}`, { key, offset, hidden }))
    }
  })

type ExpectationKeys = Omit<z.output<typeof expectation>, 'accounts'> & {
  readonly accounts?: readonly string[] | undefined
}

/** A rule as the rest of Shipbell knows it. */
export function ruleOf(name: string, { about, by, severity, until, when }: ExpectationKeys): ExpectationRule {
  return { name, about, when, by, until, severity }
}
