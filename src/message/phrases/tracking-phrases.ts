import type { Phrase } from './phrase.ts'

export const TRACKING_PHRASES = {
  'tracking.event_added': { say: '{{ it }}: {{ data.event | happened }}{{ data.step | at }}.', tone: 'neutral' },
  'tracking.event_updated': {
    say: '{{ it }}: {{ data.event | happened }}{{ data.step | at }} (it was {{ data.previous_event | happened }}).',
    tone: 'neutral',
  },
  'tracking.event_actualised': {
    say: '{{ it }}: {{ data.event | happened }}{{ data.step | at }}, no longer an estimate.',
    tone: 'good',
  },
  'tracking.event_retracted': {
    say: '{{ it }}: taken back: {{ data.previous_event | happened }}{{ data.step | at }}.',
    tone: 'warning',
  },
  'tracking.status_changed': {
    say: 'Tracking of {{ it }} went from {{ data.from | words }} to {{ data.to | words }}.',
    tone: 'neutral',
  },
  'tracking.position_changed': {
    say: '{{ it }} is at {{ data.position.latitude | short }}, {{ data.position.longitude | short }}.',
    tone: 'neutral',
  },
  'tracking.updated': { say: 'Tracking of {{ it }} changed{{ data.changes | changed }}.', tone: 'neutral' },
} as const satisfies Readonly<Record<string, Phrase>>
