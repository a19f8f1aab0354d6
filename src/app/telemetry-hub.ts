import type { Logger } from '../log.ts'
import type { Telemetry } from '../model/telemetry.ts'
import type { Sending } from './otlp/send-telemetry.ts'
import { isWanted } from './otlp/wanted-signals.ts'
import type { TracingOptions } from './tracing.ts'

/** Passes on what is done to all who hear of it; nobody at first. What they do wrong disturbs no work. */
export class TelemetryHub implements Telemetry {
  readonly #log: Logger
  readonly #listeners: Telemetry[] = []
  #hasFailed = false

  constructor(log: Logger) {
    this.#log = log
  }

  add(listener: Telemetry): void {
    this.#listeners.push(listener)
  }

  requested(...heard: Parameters<Telemetry['requested']>): void {
    this.#each((listener) => listener.requested(...heard))
  }

  committed(...heard: Parameters<Telemetry['committed']>): void {
    this.#each((listener) => listener.committed(...heard))
  }

  attempted(...heard: Parameters<Telemetry['attempted']>): void {
    this.#each((listener) => listener.attempted(...heard))
  }

  /** An operator's tracing may be anything. The first failure is logged; others are most likely the same. */
  #each(tell: (listener: Telemetry) => void): void {
    for (const listener of this.#listeners) {
      try {
        tell(listener)
      } catch (error) {
        if (!this.#hasFailed) this.#log.error({ error: String(error), next: 'goes on without it' }, 'telemetry.failed')
        this.#hasFailed = true
      }
    }
  }
}

/** Where every copy of `@opentelemetry/api` 1 finds what an SDK has registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

/**
 * Traces what is done where the operator has loaded an SDK (`node --import`), or where the standard variables name a collector: then
 * an SDK is loaded here, and disposing of what is returned sends what is left. Otherwise not even the API is loaded.
 */
export async function traceInto(
  hub: TelemetryHub,
  { clock, log, ...options }: Omit<TracingOptions, 'tracer'> & Pick<Sending, 'clock' | 'log'>,
): Promise<AsyncDisposable | null> {
  const isLoaded = hasTracer()
  if (!isLoaded && !isWanted('TRACES', process.env)) return null
  const { Tracing } = await import('./tracing.ts')
  if (isLoaded) {
    hub.add(new Tracing(options))
    return null
  }
  const { sendTraces } = await import('./otlp/send-telemetry.ts')
  const sent = sendTraces({ clock, log, version: options.version })
  hub.add(new Tracing({ ...options, tracer: sent.tracer }))
  return sent
}

function hasTracer(): boolean {
  const registered: unknown = Reflect.get(globalThis, REGISTERED)
  return typeof registered === 'object' && registered !== null && 'trace' in registered
}
