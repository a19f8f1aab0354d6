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

/** Why rows of an endpoint stay held though a person asked for them, in a sentence; null: nothing holds them. */
export function heldWords(endpoint: EndpointOverview): string | null {
  const { configured, disabled, enabled, runtime, subscription } = endpoint
  const shut = runtime === null && configured ? null : whyShut(endpoint)
  if (shut !== null) return `${subscription} ${shut}: its events are held.`
  if (!enabled) return `${subscription} is disabled in the configuration: its events are held.`
  return disabled === null ? null : disabledWords(subscription)
}

/** What is said of an endpoint that failures or a command disabled. */
export function disabledWords(subscription: string): string {
  return `${subscription} is disabled: its events are held until \`shipbell subscriptions enable ${subscription}\`.`
}

/** What a person who retries has to know of the endpoints, each in a sentence; none where all goes well. */
export function retryNotes(
  endpoints: readonly EndpointOverview[],
  subscriptions: readonly string[],
): readonly string[] {
  return endpoints
    .filter(({ subscription }) => subscriptions.includes(subscription))
    .flatMap((endpoint) => {
      const held = heldWords(endpoint)
      if (held !== null) return [held]
      return endpoint.failuresInARow >= FAILING_FROM ? [probedWords(endpoint)] : []
    })
}
