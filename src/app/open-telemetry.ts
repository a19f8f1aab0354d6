import type { TelemetryHub } from './telemetry-hub.ts'
import type { TracingOptions } from './tracing.ts'

/** Where every copy of `@opentelemetry/api` 1 finds what an SDK has registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1')

/** Traces what is done where the operator has loaded an SDK (`node --import`). Otherwise not even the API is loaded. */
export async function traceInto(hub: TelemetryHub, options: TracingOptions): Promise<void> {
  if (!Object.hasOwn(globalThis, REGISTERED)) return
  const { Tracing } = await import('./tracing.ts')
  hub.add(new Tracing(options))
}
