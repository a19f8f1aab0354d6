const WHAT = '{{ it }}: {{ data.expectation | short }}'

/** What did not happen by when it was expected. */
export const EXPECTATION_PHRASES = {
  'expectation.missed': `${WHAT} was expected by {{ data.by | moment }} and has not happened.`,
  'expectation.met': `${WHAT} has happened, {{ data.late_by | divided_by: 3600.0 | hours }} after it was expected.`,
  'expectation.withdrawn': `${WHAT} is no longer expected{% if data.reason == "moved" %} by {{ data.by | moment }}{% endif %}.`,
} as const satisfies Readonly<Record<string, string>>
