type Signal = 'TRACES' | 'METRICS'

/**
 * Whether the standard variables of OpenTelemetry want a signal sent by OTLP: an endpoint is named, of all signals or of this one,
 * and nothing switches it off.
 */
export function isWanted(signal: Signal, env: NodeJS.ProcessEnv): boolean {
  const isNamed = [env['OTEL_EXPORTER_OTLP_ENDPOINT'], env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]].some(isSet)
  return isNamed && wordOf(env['OTEL_SDK_DISABLED']) !== 'true' && wordOf(env[`OTEL_${signal}_EXPORTER`]) !== 'none'
}

/** A variable that is empty counts as left out. */
function isSet(value: string | undefined): boolean {
  return wordOf(value) !== ''
}

function wordOf(value: string | undefined): string {
  return value?.trim().toLowerCase() ?? ''
}
