import { FAILING_FROM } from '../model/endpoint.ts'
import type { EndpointOverview } from '../store/ports/query-port.ts'
import { whyShut } from './endpoint.ts'

interface Endpoint {
  readonly subscription: string
  readonly failuresInARow: number
}

/** What is said to a person who asked for rows of an endpoint that fails. */
export function probedWords({ failuresInARow, subscription }: Endpoint): string {
  return `${subscription} failed ${failuresInARow} times in a row: it is tried with one event at once, and the others go as soon as it takes one.`
}

/** What a person who retries has to know of the endpoints, each in a sentence; none where all goes well. */
export function retryNotes(
  endpoints: readonly EndpointOverview[],
  subscriptions: readonly string[],
): readonly string[] {
  return endpoints
    .filter(({ subscription }) => subscriptions.includes(subscription))
    .flatMap((endpoint) => {
      const { disabled, enabled, failuresInARow, runtime, subscription } = endpoint
      const shut = runtime === null ? null : whyShut(endpoint)
      if (shut !== null) return [`${subscription} ${shut}: its events are held.`]
      if (!enabled) return [`${subscription} is disabled in the configuration: its events are held.`]
      const enable = `\`shipbell subscriptions enable ${subscription}\``
      if (disabled !== null) return [`${subscription} is disabled: its events are held until ${enable}.`]
      return failuresInARow >= FAILING_FROM ? [probedWords(endpoint)] : []
    })
}
