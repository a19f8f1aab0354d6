import type { Phrase } from './phrase.ts'

const REASON = '{% if data.reason %}: {{ data.reason | clause }}{% endif %}'

/** Shipbell's own: accounts and subscriptions. */
export const SERVICE_PHRASES = {
  'account.baseline_completed': {
    say: 'Account {{ it }}: the baseline of {{ data.resource | many }} is complete ({{ data.count }} known); what changes from now on rings.',
    tone: 'good',
  },
  'account.unreachable': { say: `The platform of account {{ it }} cannot be reached${REASON}.`, tone: 'critical' },
  'account.unauthorized': {
    say: `The platform refuses the key of account {{ it }}{% if data.resource %} the {{ data.resource | many }}, while it answers otherwise{% endif %}${REASON}.`,
    tone: 'critical',
  },
  'account.paused': {
    say: `The platform of account {{ it }} asks to be left alone until {{ data.until | moment }}: nothing is read until then${REASON}.`,
    tone: 'warning',
  },
  'account.recovered': {
    say: 'The platform of account {{ it }} answers again{% if data.resource %} about {{ data.resource | many }}{% endif %}.',
    tone: 'good',
  },
  'account.list_incomplete': {
    say: `Account {{ it }}: not all of its {{ data.resource | many }} can be read${REASON}. The rest is followed, and nothing of them is taken for removed.`,
    tone: 'critical',
  },
  'account.clock_differs': {
    say: 'Account {{ it }}: the clock of this machine is {{ data.difference_seconds | divided_by: 3600.0 | hours }} {% if data.difference_seconds > 0 %}ahead of{% else %}behind{% endif %} the platform: due dates ring once both clocks have reached them.',
    tone: 'warning',
  },
  'account.removals_held': {
    say: 'Account {{ it }}: {{ data.missing }} of {{ data.known }} {{ data.resource | many }} seem gone, which is not believed: `shipbell holds` says which is right.',
    tone: 'critical',
  },
  'account.schema_drift': {
    say: 'Account {{ it }}: a field that is new to the interface appeared in {{ data.resource | many }}: {{ data.path | short }}.',
    tone: 'neutral',
  },
  'account.record_rejected': {
    say: 'Account {{ it }}: {% if data.id %}{{ data.resource | one }} {{ data.id | short }}{% else %}a record of {{ data.resource | many }}{% endif %} cannot be understood{% if data.more > 0 %} (and {{ data.more }} more){% endif %}: {{ data.reason | clause }}.',
    tone: 'warning',
  },
  'endpoint.failing': {
    say: `The endpoint of {{ it }} is failing${REASON}. Its events are still tried.`,
    tone: 'warning',
  },
  'endpoint.exhausted': {
    say: `The endpoint of {{ it }} did not take an event, even at the last retry${REASON}. It is kept for \`shipbell deliveries retry\`.`,
    tone: 'critical',
  },
  'endpoint.disabled': {
    say: `The endpoint of {{ it }} is disabled${REASON}. Its events are held until \`shipbell subscriptions enable\`.`,
    tone: 'critical',
  },
  'endpoint.recovered': { say: 'The endpoint of {{ it }} takes events again.', tone: 'good' },
  'endpoint.filter_failed': {
    say: `The \`where\` of {{ it }} could not be judged${REASON}. The event was delivered.`,
    tone: 'warning',
  },
  'shipbell.configuration_rejected': {
    say: 'The configuration {{ data.file | short }} was rejected ({{ data.problems | first | clause }}{% assign others = data.problems.size | minus: 1 | plus: data.more %}{% if others > 0 %}, and {{ others }} more{% endif %}), and the one before stays in force: `shipbell check` says what to mend.',
    tone: 'critical',
  },
  'shipbell.watermark': {
    say: 'What {{ it }} gets has ended up to position {{ data.complete_through }}.',
    tone: 'neutral',
  },
  'shipbell.test': { say: 'A test of the endpoint of {{ it }}.', tone: 'neutral' },
} as const satisfies Readonly<Record<string, Phrase>>
