import type { Phrase } from './phrase.ts'

const REASON = '{% if data.reason %}: {{ data.reason | short }}{% endif %}'

/** Shipbell's own: accounts and subscriptions. */
export const SERVICE_PHRASES = {
  'account.baseline_completed': {
    say: 'Account {{ it }}: {{ data.count }} {{ data.resource | words }} are known; what changes from now on rings.',
    tone: 'good',
  },
  'account.unreachable': { say: `The platform of account {{ it }} cannot be reached${REASON}.`, tone: 'critical' },
  'account.unauthorized': { say: `The platform refuses the key of account {{ it }}${REASON}.`, tone: 'critical' },
  'account.recovered': { say: 'The platform of account {{ it }} answers again.', tone: 'good' },
  'account.removals_held': {
    say: 'Account {{ it }}: {{ data.missing }} of {{ data.known }} {{ data.resource | words }} seem gone, which is not believed: `shipbell holds` says which is right.',
    tone: 'critical',
  },
  'account.schema_drift': {
    say: 'Account {{ it }}: {{ data.resource | words }} have a field that is new to the interface: {{ data.path | short }}.',
    tone: 'neutral',
  },
  'account.record_rejected': {
    say: 'Account {{ it }}: {% if data.id %}{{ data.id | short }}{% else %}a record{% endif %} of {{ data.resource | words }} cannot be understood{% if data.more > 0 %} (and {{ data.more }} more){% endif %}: {{ data.reason | short }}.',
    tone: 'warning',
  },
  'endpoint.failing': {
    say: `The endpoint of {{ it }} is failing${REASON}. Its events are still tried.`,
    tone: 'warning',
  },
  'endpoint.exhausted': {
    say: `The endpoint of {{ it }} did not take an event until the last retry${REASON}. It is kept for \`shipbell deliveries retry\`.`,
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
  'shipbell.test': { say: 'A test of the endpoint of {{ it }}.', tone: 'neutral' },
} as const satisfies Readonly<Record<string, Phrase>>
