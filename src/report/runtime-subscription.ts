import { formatInstant, formatInstantOrNull } from '../model/instant.ts'
import type { JsonObject } from '../model/json.ts'
import type { EndpointOverview } from '../store/ports/query-port.ts'

/** What was asked for of a subscription made at run time, and what became of that; empty for one of a file. `url`: without secrets. */
export function runtimeJson({ runtime }: EndpointOverview, url: string | null): JsonObject {
  if (runtime === null) return {}
  return {
    url,
    ...JSON.parse(runtime.settings),
    made_at: formatInstant(runtime.madeAt),
    renewed_at: formatInstant(runtime.renewedAt),
    verified_at: formatInstantOrNull(runtime.verifiedAt),
  }
}
