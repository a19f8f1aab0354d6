import type { Exchange, Validator } from '../../model/exchange.ts'
import type { Outcome } from '../../platform/outcome.ts'
import type { AccountClient, RequestOptions } from './account-client.ts'

const MOST_TRIES = 3

export type Answer<T> =
  /** `value` is null where the platform answered that there is nothing (404). */
  | {
      readonly kind: 'read'
      readonly value: T | null
      readonly exchange: Exchange
      /** By what the same answer is known again; null where nothing can tell. */
      readonly validator: Validator | null
    }
  | {
      readonly kind: 'failed'
      readonly reason: string
      /** `rejected`: a record that cannot be understood; `refused`: not for this key; `trouble`: asking again may help. */
      readonly why: 'rejected' | 'refused' | 'trouble'
      /** null: the platform was not asked. */
      readonly exchange: Exchange | null
    }

export interface AskOptions extends RequestOptions {
  readonly accountClient: AccountClient
  /** Failed requests until this reader gives up for now (default 3); the client spaces them. */
  readonly tries?: number
}

/** Asks through the client until there is an answer to work with. Being throttled is no failure: it only takes longer. */
export async function ask<T>(request: () => Promise<Outcome<T>>, options: AskOptions): Promise<Answer<T>> {
  for (let failures = 0; ;) {
    const outcome = await options.accountClient.request(request, options)
    switch (outcome.kind) {
      case 'ok':
        return { kind: 'read', value: outcome.value, exchange: outcome.exchange, validator: outcome.validator ?? null }
      case 'empty':
      case 'not_found':
        return { kind: 'read', value: null, exchange: outcome.exchange, validator: null }
      case 'throttled':
        continue
      case 'rejected':
        return { ...failed(outcome), why: 'rejected' }
      case 'unauthorized':
        return { ...failed(outcome), why: outcome.exchange.status === 403 ? 'refused' : 'trouble' }
      case 'deferred':
        return { kind: 'failed', reason: outcome.reason, why: 'trouble', exchange: null }
      case 'broken':
      case 'unreachable':
        failures += 1
        if (failures < (options.tries ?? MOST_TRIES)) continue
        return { ...failed(outcome), why: 'trouble' }
      default:
        return outcome satisfies never
    }
  }
}

function failed({ reason, exchange }: { readonly reason: string; readonly exchange: Exchange }) {
  return { kind: 'failed', reason, exchange } as const
}
