import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Tracer } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader, type MetricProducer } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { inTime, type Clock } from '../../clock.ts'
import type { Logger } from '../../log.ts'
import type { ExposedMetric } from '../../serve/metrics/metrics.ts'
import { leaveBehind } from './left-behind.ts'
import { metricData } from './metric-data.ts'

// What all of this takes is loaded with this file, which is imported only where a collector is named. Its address, headers,
// time-outs, sampling, intervals and attributes of the resource are those of the standard variables, which the SDK reads.

/** How long the end of the process waits for a collector to take what is left. */
const FLUSH_MS = 1_500
const INTERVAL_MS = 60_000
const INTERVAL_TIMEOUT_MS = 30_000

export interface Sending {
  readonly version: string
  readonly clock: Clock
  readonly log: Logger
}

export interface SentTraces extends AsyncDisposable {
  readonly tracer: Tracer
}

/** Spans of the tracer are sent in batches; what a collector does not take in time is dropped. Disposing of it sends what is left. */
export function sendTraces(sending: Sending): SentTraces {
  const exporter = saying(new OTLPTraceExporter(), { ...sending, signal: 'traces' })
  const provider = new BasicTracerProvider({
    resource: resourceOf(sending.version),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  })
  return {
    tracer: provider.getTracer('shipbell', sending.version),
    [Symbol.asyncDispose]: async () => flushed(provider.shutdown(), sending.clock),
  }
}

export interface SentMetrics extends Sending {
  readonly read: () => Promise<readonly ExposedMetric[]>
}

/** Metrics are read and sent once in each interval, and once more when this is disposed of. */
export function sendMetrics({ clock, log, read, version }: SentMetrics): AsyncDisposable {
  const resource = resourceOf(version)
  const startedAt = clock.now()
  const producer: MetricProducer = {
    collect: async () => {
      const metrics = metricData(await read(), startedAt, clock.now())
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'shipbell', version }, metrics }] },
        errors: [],
      }
    },
  }
  const interval = milliseconds('OTEL_METRIC_EXPORT_INTERVAL') ?? INTERVAL_MS
  const reader = new PeriodicExportingMetricReader({
    exporter: saying(new OTLPMetricExporter(), { log, signal: 'metrics' }),
    exportIntervalMillis: interval,
    exportTimeoutMillis: Math.min(interval, milliseconds('OTEL_METRIC_EXPORT_TIMEOUT') ?? INTERVAL_TIMEOUT_MS),
    metricProducers: [producer],
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  return { [Symbol.asyncDispose]: async () => flushed(provider.shutdown(), clock) }
}

function milliseconds(variable: string): number | null {
  const text = process.env[variable]?.trim() ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}

const INSTANCE = randomUUID()

/** Who sends: what the variables say goes before what we say. Each worker is an instance of its own. */
function resourceOf(version: string): Resource {
  const own = resourceFromAttributes({
    'service.name': 'shipbell',
    'service.version': version,
    'service.instance.id': INSTANCE,
    'host.name': hostname(),
  })
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
}

interface Exporter<T> {
  export(items: T, done: (result: ExportResult) => void): void
}

interface ExportResult {
  readonly code: number
  readonly error?: Error
}

interface Said {
  readonly log: Logger
  readonly signal: 'traces' | 'metrics'
}

/** The exporter, which logs when a collector stops taking what it is sent, and when it takes it again. */
function saying<T, E extends Exporter<T>>(exporter: E & Exporter<T>, { log, signal }: Said): E {
  const send = exporter.export.bind(exporter)
  let isTaken = true
  exporter.export = (items, done) => {
    send(items, (result) => {
      const wasTaken = isTaken
      isTaken = result.code === 0
      const error = result.error?.message ?? 'no reason is known'
      if (wasTaken && !isTaken) log.warn({ signal, error, next: 'what is not taken is dropped' }, 'telemetry.refused')
      if (!wasTaken && isTaken) log.info({ signal }, 'telemetry.taken')
      done(result)
    })
  }
  return exporter
}

/** Waits for what is left to be sent, but not for long. */
async function flushed(sent: Promise<unknown>, clock: Clock): Promise<void> {
  const ended = sent.then(
    () => true,
    () => true,
  )
  if (!(await inTime(ended, { clock, ms: FLUSH_MS, late: false }))) leaveBehind()
}
