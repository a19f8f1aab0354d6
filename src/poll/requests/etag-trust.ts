import type { Validator } from '../../model/exchange.ts'
import { RECORD_OF, type Watchable } from '../../model/resource.ts'
import type { AccountContext } from '../account-context.ts'

interface ValidatorsOf extends Pick<AccountContext, 'account' | 'committer' | 'log'> {
  readonly watch: Watchable
}

/** What one request reads, as it was last answered. */
export interface KnownAnswer {
  readonly name: string
  readonly validator: Validator
  readonly sentAt: number
}

/** Once in this time each read goes without an ETag. */
const HOUR_MS = 3_600_000

/**
 * Decides which ETags of a resource are believed. Each is believed for an hour; none is any more once different bytes came under
 * one tag. An ETag only saves the bytes of an answer: what is read without one is still known by its content hash.
 */
export class EtagTrust {
  readonly #context: ValidatorsOf
  /** Whether the validators of the list lie; null: the store was not asked yet. */
  #areLying: boolean | null = null

  constructor(context: ValidatorsOf) {
    this.#context = context
  }

  /** The validator to ask with: without its ETag where that is not to be believed now. */
  async trusted({ validator, name, sentAt }: KnownAnswer, now: number): Promise<Validator> {
    if (validator.etag === null) return validator
    const isDue = hourOf(name, sentAt) !== hourOf(name, now)
    return isDue || (await this.#lie()) ? { ...validator, etag: null } : validator
  }

  /** Compares two answers of one page or item. */
  async compare(name: string, [before, after]: readonly [Validator | null, Validator | null]): Promise<void> {
    if (before === null || after === null || before.etag === null) return
    if (before.etag !== after.etag || before.contentHash === after.contentHash || (await this.#lie())) return
    const { account, committer, log, watch } = this.#context
    this.#areLying = true
    const changes = [{ kind: 'lying_validators', resource: RECORD_OF[watch] }] as const
    await committer.commit(account.name, async () => ({ changes }))
    const reason = 'two different answers came under one ETag: the ETags of this resource are used no more'
    log.warn({ account: account.name, resource: watch, of: name, reason }, 'poll.validator_refused')
  }

  async #lie(): Promise<boolean> {
    const { account, committer, watch } = this.#context
    this.#areLying ??= (await committer.store.listState(account.name, RECORD_OF[watch])).validatorsLie
    return this.#areLying
  }
}

/** Hours that begin at another instant for each name, so that not all is due at once. A clock set back ends one, too. */
function hourOf(name: string, instant: number): number {
  let offset = 0
  for (let nth = 0; nth < name.length; nth += 1) offset = (offset * 31 + name.charCodeAt(nth)) % HOUR_MS
  return Math.floor((instant + offset) / HOUR_MS)
}
