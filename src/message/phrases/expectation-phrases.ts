import { field, type Json } from '../../model/json.ts'
import type { Tone } from '../tone.ts'
import type { Phrase } from './phrase.ts'

const WHAT = '{{ it }}: {{ data.expectation | short }}'

/** How bad the rule says that it is. */
function toneOfRule(data: Json | undefined): Tone {
  const severity = field(data, 'severity')
  return severity === 'critical' || severity === 'neutral' ? severity : 'warning'
}

/** What did not happen by when it was expected. */
export const EXPECTATION_PHRASES = {
  'expectation.missed': {
    say: `${WHAT} was expected by {{ data.by | moment }} and has not happened.`,
    tone: toneOfRule,
  },
  'expectation.met': {
    say: `${WHAT} has happened, {{ data.late_by | divided_by: 3600.0 | hours }} after it was expected.`,
    tone: 'good',
  },
  'expectation.withdrawn': {
    say: `${WHAT} is no longer expected{% if data.reason == "moved" %} by {{ data.by | moment }}{% endif %}.`,
    tone: 'neutral',
  },
} as const satisfies Readonly<Record<string, Phrase>>
