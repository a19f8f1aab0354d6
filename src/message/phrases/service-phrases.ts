const REASON = '{% if data.reason %}: {{ data.reason | clause }}{% endif %}'

/** Shipbell's own: accounts and subscriptions. */
export const SERVICE_PHRASES = {
  'account.baseline_completed':
    'Account {{ it }}: the baseline of {{ data.resource | many }} is complete ({{ data.count }} known); what changes from now on rings.',
  'account.unreachable': `The platform of account {{ it }} cannot be reached${REASON}.`,
  'account.unauthorized': `The platform refuses the key of account {{ it }}{% if data.resource %} the {{ data.resource | many }}, while it answers otherwise{% endif %}${REASON}.`,
  'account.paused': `The platform of account {{ it }} asks to be left alone until {{ data.until | moment }}: nothing is read until then${REASON}.`,
  'account.recovered':
    '{% if data.was == "list_stale" %}Account {{ it }}: the list of {{ data.resource | many }} shows again what fetches by id show.{% else %}The platform of account {{ it }} answers again{% if data.resource %} about {{ data.resource | many }}{% endif %}.{% endif %}',
  'account.list_incomplete': `Account {{ it }}: not all of its {{ data.resource | many }} can be read${REASON}. The rest is followed, and nothing of them is taken for removed.`,
  'account.list_stale':
    'Account {{ it }}: the list of {{ data.resource | many }} shows old rows ({{ data.differed }} of {{ data.sampled }} that were fetched by id differ): what changes may be told late, until the platform mends its list.',
  'account.clock_differs':
    'Account {{ it }}: the clock of this machine is {{ data.difference_seconds | divided_by: 3600.0 | hours }} {% if data.difference_seconds > 0 %}ahead of{% else %}behind{% endif %} the platform: due dates ring once both clocks have reached them.',
  'account.removals_held':
    'Account {{ it }}: {{ data.missing }} of {{ data.known }} {{ data.resource | many }} seem gone, which is not believed: `shipbell holds list` says which is right.',
  'account.schema_drift':
    'Account {{ it }}: a field that is new to the interface appeared in {{ data.resource | many }}: {{ data.path | short }}.',
  'account.record_rejected':
    'Account {{ it }}: {% if data.id %}{{ data.resource | one }} {{ data.id | short }}{% else %}a record of {{ data.resource | many }}{% endif %} cannot be understood{% if data.more > 0 %} (and {{ data.more }} more){% endif %}: {{ data.reason | clause }}.',
  'endpoint.failing': `The endpoint of {{ it }} is failing${REASON}. Its events are still tried.`,
  'endpoint.exhausted': `The endpoint of {{ it }} did not take an event, even at the last retry${REASON}. It is kept for \`shipbell deliveries retry --subscription {{ subject.id }} --since 30d\`.`,
  'endpoint.disabled': `The endpoint of {{ it }} is disabled${REASON}. Its events are held until \`shipbell subscriptions enable {{ subject.id }}\`.`,
  'endpoint.recovered': 'The endpoint of {{ it }} takes events again.',
  'endpoint.filter_failed': `The \`where\` of {{ it }} could not be judged${REASON}. The event was delivered.`,
  'shipbell.configuration_rejected':
    'The configuration {{ data.file | short }} was rejected ({{ data.problems | first | clause }}{% assign others = data.problems.size | minus: 1 | plus: data.more %}{% if others > 0 %}, and {{ others }} more{% endif %}), and the one before stays in force: `shipbell check` says what to mend.',
  'shipbell.watermark': 'What {{ it }} gets has ended up to position {{ data.complete_through }}.',
  'shipbell.test': 'A test of the endpoint of {{ it }}.',
} as const satisfies Readonly<Record<string, string>>
