import { ATTEMPT_OUTCOMES, REQUEST_OUTCOMES } from '../../../src/model/telemetry.ts'
import { METRICS } from '../../../src/serve/metrics/catalogue.ts'
import { table } from './markdown.ts'

/** docs/reference/metrics.md. */
export function metricsPage(): string {
  const rows = Object.values(METRICS).map(({ help, kind, labels, name }) => [
    `\`${name}\``,
    kind,
    labels.map((label) => `\`${label}\``).join(' '),
    help,
  ])
  const bounds = Object.values(METRICS).flatMap((metric) =>
    'buckets' in metric ? [[`\`${metric.name}\``, metric.buckets.join(', ')]] : [],
  )
  return `# Metrics

What \`/metrics\` answers, in the text format of Prometheus; \`npm run docs\` writes this page. [Monitor](../how-to/monitor.md#prometheus) says how to use it.
Times are in seconds. Counters and histograms begin at 0 with the process.

${table(['name', 'kind', 'labels', 'is'], rows)}
Besides them there are the \`process_*\` and \`nodejs_*\` of the library prom-client; the delay of the event loop is sampled
every 100 ms, from the first scrape on.

## Labels

${table(
  ['label', 'is'],
  [
    ['`account`, `subscription`', 'as configured'],
    ['`resource`', 'as under `watch`'],
    ['`type`', 'a type of [event](events.md)'],
    ['`state`', 'pending, delivered, exhausted, held or discarded'],
    ['`outcome` of requests', REQUEST_OUTCOMES.map((each) => `\`${each}\``).join(' ')],
    ['`outcome` of attempts', ATTEMPT_OUTCOMES.map((each) => `\`${each}\``).join(' ')],
  ],
)}
A request is \`ok\` also where nothing had changed; \`empty\` and \`not_found\` are 404, of a list and of an item; \`rejected\` is a
record that cannot be understood, \`unauthorized\` 401 or 403, \`throttled\` 429, \`broken\` any other answer that cannot be used,
and \`unreachable\` none at all. An attempt that is followed by another is a \`retry\`, the last one is \`exhausted\`, and
\`disabled\` was answered 410.

## Bounds of the histograms

${table(['name', 'seconds'], bounds)}`
}
