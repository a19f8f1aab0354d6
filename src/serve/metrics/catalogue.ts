export interface MetricInfo {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  /** One sentence for people, also in the reference. */
  readonly help: string
}

const MINUTE = 60

/** From a local answer in milliseconds to the longest that a request may take. */
const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const ATTEMPT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60]
/** Changes of freight are seen within minutes where they are likely, and within hours everywhere. */
const DELAY_BUCKETS = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1_440, 2_880].map((each) => each * MINUTE)

/** What `/metrics` says beside `process_*` and `nodejs_*` (guarantee A3). `resource` is named as under `watch`. */
export const METRICS = {
  build: {
    name: 'shipbell_build_info',
    kind: 'gauge',
    labels: ['version'],
    help: 'Always 1; the label says which version runs.',
  },
  requests: {
    name: 'shipbell_requests_total',
    kind: 'counter',
    labels: ['account', 'resource', 'outcome'],
    help: 'Requests to the platform that have ended, by outcome.',
  },
  requestDuration: {
    name: 'shipbell_request_duration_seconds',
    kind: 'histogram',
    labels: [],
    help: 'How long requests to the platforms took, whole answers included.',
    buckets: REQUEST_BUCKETS,
  },
  budgetRemaining: {
    name: 'shipbell_budget_remaining_requests',
    kind: 'gauge',
    labels: ['account'],
    help: 'Requests that the budget lets go at once; accounts of one key share them.',
  },
  ceiling: {
    name: 'shipbell_budget_ceiling_ratio',
    kind: 'gauge',
    labels: ['account'],
    help: 'The part of its budget that the key was found to bear; 1 where no less was learnt.',
  },
  freshnessAge: {
    name: 'shipbell_freshness_age_seconds',
    kind: 'gauge',
    labels: ['account', 'resource'],
    help: 'Time since the read of what was read longest ago.',
  },
  freshnessPromise: {
    name: 'shipbell_freshness_promise_seconds',
    kind: 'gauge',
    labels: ['account', 'resource'],
    help: 'The longest that anything of it is to go unread: `every` as configured.',
  },
  detectionDelay: {
    name: 'shipbell_detection_delay_seconds',
    kind: 'histogram',
    labels: ['resource'],
    help: 'Time between the last read of a record with the old value and the first with the new one.',
    buckets: DELAY_BUCKETS,
  },
  records: {
    name: 'shipbell_records',
    kind: 'gauge',
    labels: ['account', 'resource'],
    help: 'Records that are known and not removed.',
  },
  events: {
    name: 'shipbell_events_total',
    kind: 'counter',
    labels: ['account', 'type'],
    help: 'Events that rang since the process started; `account` is empty for those of endpoints.',
  },
  attempts: {
    name: 'shipbell_delivery_attempts_total',
    kind: 'counter',
    labels: ['subscription', 'outcome'],
    help: 'Attempts by what they came to; one that tells of several events counts for each of them.',
  },
  attemptDuration: {
    name: 'shipbell_delivery_attempt_duration_seconds',
    kind: 'histogram',
    labels: ['subscription'],
    help: 'How long attempts took; one that tells of several events counts once.',
    buckets: ATTEMPT_BUCKETS,
  },
  deliveries: {
    name: 'shipbell_deliveries',
    kind: 'gauge',
    labels: ['subscription', 'state'],
    help: 'Rows of the ledger by state, tests left out; what was delivered or discarded counts on after `retention.ledger`.',
  },
  backlogAge: {
    name: 'shipbell_delivery_backlog_age_seconds',
    kind: 'gauge',
    labels: ['subscription'],
    help: 'Time since the oldest event rang that is not delivered yet; 0 where none is, or where all wait to be sent together.',
  },
  feedPosition: {
    name: 'shipbell_feed_position',
    kind: 'gauge',
    labels: ['subscription'],
    help: 'The newest number of the deliveries of a subscription; 0 where it has none.',
  },
  feedAge: {
    name: 'shipbell_feed_age_seconds',
    kind: 'gauge',
    labels: ['subscription'],
    help: 'Time since the oldest event rang that waits to be taken from a feed (`pull`); 0 where none does.',
  },
  snapshotUnderWay: {
    name: 'shipbell_snapshot_under_way',
    kind: 'gauge',
    labels: ['subscription'],
    help: '1 while a subscription is sent every known record (`start: snapshot`, `subscriptions snapshot`), otherwise 0.',
  },
  snapshotRecords: {
    name: 'shipbell_snapshot_records',
    kind: 'gauge',
    labels: ['subscription', 'outcome'],
    help: 'Records that the last snapshot of a subscription has looked at, by outcome: `sent`, or `left_out` by `where`; 0 where there was none.',
  },
  endpointUp: {
    name: 'shipbell_endpoint_up',
    kind: 'gauge',
    labels: ['subscription'],
    help: '0 while the endpoint is disabled or its attempts fail, otherwise 1.',
  },
  heldRemovals: {
    name: 'shipbell_held_removals',
    kind: 'gauge',
    labels: ['account', 'resource'],
    help: 'Records whose removal is not believed and waits for a person.',
  },
  auditSampled: {
    name: 'shipbell_audit_sampled_total',
    kind: 'counter',
    labels: ['account', 'resource'],
    help: 'Records that were fetched by id and compared with what their list shows (`audit`), since ever.',
  },
  auditDiffered: {
    name: 'shipbell_audit_differed_total',
    kind: 'counter',
    labels: ['account', 'resource'],
    help: 'Samples that showed that their list is stale: it was read again, and still showed the old value.',
  },
  auditDiffering: {
    name: 'shipbell_audit_differing_ratio',
    kind: 'gauge',
    labels: ['account', 'resource'],
    help: 'The part of its rows that is stale at most, with 95 % confidence, by the samples of seven days; 1 where there are none.',
  },
  auditStale: {
    name: 'shipbell_audit_list_stale',
    kind: 'gauge',
    labels: ['account', 'resource'],
    help: '1 from `account.list_stale` until the list is well again, otherwise 0.',
  },
  exceptions: {
    name: 'shipbell_exceptions',
    kind: 'gauge',
    labels: ['account', 'type'],
    help: 'What is not well, still open, and not acknowledged, by the type of the event that opens it.',
  },
  accountUp: {
    name: 'shipbell_account_up',
    kind: 'gauge',
    labels: ['account'],
    help: '0 while the platform is unreachable or refuses the key, otherwise 1.',
  },
  leases: {
    name: 'shipbell_leases',
    kind: 'gauge',
    labels: ['worker'],
    help: 'API keys whose accounts this worker polls; accounts of one key go together.',
  },
  takeovers: {
    name: 'shipbell_takeovers_total',
    kind: 'counter',
    labels: [],
    help: 'Leases that this worker has taken over from workers that died.',
  },
  configRejected: {
    name: 'shipbell_config_rejected',
    kind: 'gauge',
    labels: [],
    help: '1 while the files of the configuration, as they are now, cannot be used: the ones before stay in force.',
  },
  storeBytes: {
    name: 'shipbell_store_bytes',
    kind: 'gauge',
    labels: [],
    help: 'Size of the store on disk, its log included.',
  },
} as const satisfies Readonly<Record<string, MetricInfo & { readonly buckets?: readonly number[] }>>
