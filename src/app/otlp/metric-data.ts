import { ValueType, type HrTime } from '@opentelemetry/api'
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type HistogramMetricData,
  type MetricData,
} from '@opentelemetry/sdk-metrics'
import type { ExposedMetric } from '../../serve/metrics/metrics.ts'

/** The time that the values of metrics are of. */
interface Span {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

/** What `/metrics` says, as OpenTelemetry has it: the same names, labels and values. What was not measured is left out. */
export function metricData(metrics: readonly ExposedMetric[], startedAt: number, now: number): MetricData[] {
  const span = { startTime: hrTime(startedAt), endTime: hrTime(Math.max(startedAt, now)) }
  return metrics.flatMap((metric) => dataOf(metric, span)).filter(({ dataPoints }) => dataPoints.length > 0)
}

function dataOf(metric: ExposedMetric, span: Span): readonly MetricData[] {
  const { help: description, name, type } = metric
  const base = {
    descriptor: { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (type === 'counter')
    return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: pointsOf(metric, span) }]
  if (type === 'gauge') return [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints: pointsOf(metric, span) }]
  if (type === 'histogram')
    return [{ ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(metric, span) }]
  return []
}

function pointsOf({ values }: ExposedMetric, span: Span): DataPoint<number>[] {
  return values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => ({ ...span, attributes: { ...labels }, value }))
}

/** A series of a histogram has a value for each bucket, which counts those below, too, one for the sum and one for the count. */
function histogramsOf({ name, values }: ExposedMetric, span: Span): HistogramMetricData['dataPoints'] {
  const series = Map.groupBy(values, ({ labels: { le: _le, ...own } }) => JSON.stringify(own))
  return [...series.values()].map((own) => {
    const buckets = own.filter(({ metricName }) => metricName === `${name}_bucket`)
    const bounded = buckets.filter(({ labels }) => labels['le'] !== '+Inf')
    const below = buckets.map(({ value }) => value)
    const valueOf = (suffix: string): number => own.find(({ metricName }) => metricName === name + suffix)?.value ?? 0
    const { le: _le, ...attributes } = own[0]?.labels ?? {}
    return {
      ...span,
      attributes,
      value: {
        buckets: {
          boundaries: bounded.map(({ labels }) => Number(labels['le'])),
          counts: below.map((count, nth) => count - (below[nth - 1] ?? 0)),
        },
        sum: valueOf('_sum'),
        count: valueOf('_count'),
      },
    }
  })
}

/** The unit that a name of Prometheus ends with, as UCUM writes it. */
function unitOf(name: string): string {
  const [, word] = /_(seconds|bytes|ratio)(?:_total)?$/.exec(name) ?? []
  return { seconds: 's', bytes: 'By', ratio: '1' }[word ?? ''] ?? ''
}

function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1_000_000)]
}
