import type { Phrase } from './phrase.ts'

const WHAT = '{{ it }}: {{ data.event | happening }}{{ data.step | at }}'
const WHEN = '{% assign when = data.event | happened %}{% if when != "" %}, {{ when }}{% endif %}'
/** What was said before, where that is another date or status. */
const BEFORE =
  '{% assign before = data.previous_event | happened %}{% if before != "" and before != when %}; before: {{ before }}{% endif %}'
/** What happened, where that is said in other words than before. */
const RENAMED =
  '{% assign named = data.previous_event | happening %}{% assign name = data.event | happening %}{% if named != name %}; before: {{ named }}{% endif %}'

export const TRACKING_PHRASES = {
  'tracking.event_added': { say: `${WHAT}${WHEN}.`, tone: 'neutral' },
  'tracking.event_updated': { say: `${WHAT}${WHEN}${BEFORE}${RENAMED}.`, tone: 'neutral' },
  'tracking.event_actualised': { say: `${WHAT} has happened${WHEN}${BEFORE}.`, tone: 'good' },
  'tracking.event_retracted': {
    say: '{{ it }}: taken back: {{ data.previous_event | happening }}{{ data.step | at }}{% assign was = data.previous_event | happened %}{% if was != "" %}, {{ was }}{% endif %}.',
    tone: 'warning',
  },
  'tracking.status_changed': {
    say: 'Tracking of {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
    tone: 'neutral',
  },
  'tracking.position_changed': {
    say: '{% if data.position %}{{ it }} is at {{ data.position.latitude | short }}, {{ data.position.longitude | short }}.{% else %}The position of {{ it }} is no longer known.{% endif %}',
    tone: 'neutral',
  },
  'tracking.updated': { say: 'Tracking of {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
} as const satisfies Readonly<Record<string, Phrase>>
