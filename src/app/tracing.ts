import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api'
import type { Exchange } from '../model/exchange.ts'
import type { EndedCommit, EndedRequest, EndedSend, Telemetry } from '../model/telemetry.ts'
import { redact } from '../redact.ts'

/** Events whose deliveries can be linked to the read that showed them. */
const REMEMBERED = 10_000

export interface TracingOptions {
  readonly version: string
  /** Configured secrets as of now: none of them leaves in a span. */
  readonly secrets: () => readonly string[]
  /** What makes the spans; left out: the SDK that the operator has loaded. */
  readonly tracer?: Tracer
}

interface Failure {
  readonly type: string
  /** One sentence, where it quotes no answer. */
  readonly reason: string | null
}

interface EndedSpan {
  readonly name: 'read' | 'commit' | 'deliver'
  readonly from: number
  readonly to: number
  readonly attributes: Attributes
  readonly failure: Failure | null
  /** The span that this one belongs to; left out: it begins a trace. */
  readonly parent?: SpanContext | undefined
  readonly links?: readonly SpanContext[]
}

/**
 * What was done, as spans of OpenTelemetry: `read`, beneath it `commit`, and `deliver`, which begins a trace of its own and is
 * linked to the reads that made its events. No span names a record, or quotes one.
 */
export class Tracing implements Telemetry {
  readonly #tracer: Tracer
  readonly #secrets: TracingOptions['secrets']
  readonly #reads = new WeakMap<Exchange, SpanContext>()
  /** By event, the one that was committed longest ago first. */
  readonly #sources = new Map<string, SpanContext>()

  constructor({ secrets, tracer, version }: TracingOptions) {
    this.#secrets = secrets
    this.#tracer = tracer ?? trace.getTracer('shipbell', version)
  }

  requested({ account, exchange, outcome, reason, resource }: EndedRequest): void {
    const { answeredAt: to, method, sentAt: from, status } = exchange
    const read = this.#span({
      name: 'read',
      from,
      to,
      attributes: {
        'shipbell.account': account,
        'shipbell.resource': resource,
        'shipbell.outcome': outcome,
        'http.request.method': method,
        ...statusAttribute(status),
      },
      failure: isFailure(outcome) ? { type: outcome, reason: status === null ? reason : null } : null,
    })
    if (read !== null) this.#reads.set(exchange, read)
  }

  committed({ account, deliveries, endedAt: to, error, events, exchanges, startedAt: from }: EndedCommit): void {
    if (exchanges === null) return
    const reads = exchanges.flatMap((exchange) => this.#reads.get(exchange) ?? [])
    const commit = this.#span({
      name: 'commit',
      from,
      to,
      attributes: {
        'shipbell.account': account,
        'shipbell.events': events.length,
        'shipbell.deliveries': deliveries,
      },
      failure: error === null ? null : { type: 'store', reason: error },
      parent: reads.at(-1),
      links: reads.slice(0, -1),
    })
    const source = reads.at(-1) ?? commit
    if (error === null && source !== null) for (const { id } of events) this.#remember(id, source)
  }

  attempted({ durationMs, error, rows, startedAt: from, status, subscription }: EndedSend): void {
    this.#span({
      name: 'deliver',
      from,
      to: from + durationMs,
      attributes: { 'shipbell.subscription': subscription, ...rowAttributes(rows), ...statusAttribute(status) },
      failure: error === null ? null : failureOf(status, error),
      links: [...new Set(rows.flatMap(({ event }) => this.#sources.get(event.id) ?? []))],
    })
  }

  /** Ends a span and records it; null: nobody records it. */
  #span({ attributes, failure, from, links = [], name, parent, to }: EndedSpan): SpanContext | null {
    const options = {
      kind: name === 'commit' ? SpanKind.INTERNAL : SpanKind.CLIENT,
      startTime: new Date(from),
      attributes,
      links: links.map((context) => ({ context })),
    }
    const span = this.#tracer.startSpan(name, options, beneath(parent))
    const isRecorded = span.isRecording()
    if (failure !== null) {
      const { reason, type } = failure
      span.setAttribute('error.type', type)
      span.setStatus({ code: SpanStatusCode.ERROR, message: reason === null ? type : redact(reason, this.#secrets()) })
    }
    // The clock may have been set back meanwhile.
    span.end(new Date(Math.max(from, to)))
    return isRecorded ? span.spanContext() : null
  }

  #remember(event: string, source: SpanContext): void {
    this.#sources.set(event, source)
    for (const oldest of this.#sources.keys()) {
      if (this.#sources.size <= REMEMBERED) return
      this.#sources.delete(oldest)
    }
  }
}

function beneath(parent: SpanContext | undefined): Context {
  return parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
}

function isFailure(outcome: EndedRequest['outcome']): boolean {
  return outcome !== 'ok' && outcome !== 'empty' && outcome !== 'not_found'
}

function failureOf(status: number | null, error: string): Failure {
  return status === null ? { type: 'no_answer', reason: error } : { type: String(status), reason: null }
}

function statusAttribute(status: number | null): Attributes {
  return status === null ? {} : { 'http.response.status_code': status }
}

/** What the rows of one message say; of a message that tells of several events, what its first says. */
function rowAttributes(rows: EndedSend['rows']): Attributes {
  const [first] = rows
  if (first === undefined) return {}
  const { attempt, delivery, event, outcome } = first
  return {
    'shipbell.events': rows.length,
    'shipbell.event.id': event.id,
    'shipbell.event.type': event.type,
    'shipbell.delivery.id': delivery,
    'shipbell.attempt': attempt,
    'shipbell.outcome': outcome,
    ...(event.account === null ? {} : { 'shipbell.account': event.account }),
  }
}
