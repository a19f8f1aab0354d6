import type { Watchable } from '../../model/resource.ts'
import { areOthersInDoubt, inARow, nextWitness, type Doubt } from '../../plan/outage.ts'
import type { Outcome } from '../../platform/outcome.ts'
import type { Ask } from './access-watch.ts'
import type { Failure } from './health.ts'
import type { Refusal } from './limiter.ts'
import { isFailure } from './read-result.ts'

export interface OutageWatchOptions {
  readonly watched: readonly Watchable[]
  /** A small request for something of a resource; null: there is nothing to ask for. */
  readonly probe: (watch: Watchable) => Promise<Ask | null>
}

export interface Settling {
  /** Sends a probe at once: it says whose failures are. */
  readonly send: (probe: Ask, watch: Watchable) => Promise<Outcome<unknown> | Refusal>
  /** Takes failures that turned out to be the account's. */
  readonly charge: (failures: readonly Failure[]) => Promise<void>
  /** Whether the key was refused a resource. */
  readonly isRefused: (watch: Watchable) => boolean
}

interface DoubtedFailure extends Failure, Doubt {
  /** Whether it was charged to the account already. */
  readonly isCharged: boolean
}

/**
 * Tells an account that fails from lists that fail by themselves (guarantee D9). Failures of pages are in doubt until anything of
 * the account answers, and then they were never the account's. Where a list answers nowhere, resources that answered before are
 * asked; if they fail, too, all that is in doubt is the account's.
 */
export class OutageWatch {
  readonly #options: OutageWatchOptions | null
  #answeredAt = Number.NEGATIVE_INFINITY
  readonly #lastAnswers = new Map<Watchable, number>()
  /** What failed since anything answered. */
  #doubts: readonly DoubtedFailure[] = []
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: OutageWatchOptions | null) {
    this.#options = options
  }

  /** When the last answer arrived that was no failure, whatever was asked for. */
  get answeredAt(): number {
    return this.#answeredAt
  }

  /** Something of a resource answered; `watch` is null where it is of none. */
  answered(watch: Watchable | null, at: number): void {
    this.#answeredAt = at
    if (watch !== null) this.#lastAnswers.set(watch, at)
    this.#doubts = []
  }

  /** A page failed. What was asked before the last success is no more in a row. */
  failed(watch: Watchable, { exchange, reason }: Failure): void {
    const { answeredAt, sentAt } = exchange
    if (sentAt < this.#answeredAt) return
    this.#doubts = [...this.#doubts, { watch, sentAt, answeredAt, exchange, reason, isCharged: false }]
  }

  /**
   * Where other resources are in doubt, too, a list is looked at elsewhere before anything else, one list at a time. Resolves to
   * whether it answers there; null: there is no need for such a look.
   */
  async hurry(watch: Watchable, elsewhere: () => Promise<boolean>, settling: Settling): Promise<boolean | null> {
    return this.#inTurn(async () => {
      if (!areOthersInDoubt(this.#doubts, watch)) return null
      const doesAnswer = await elsewhere()
      if (!doesAnswer) await this.#settle(settling)
      return doesAnswer
    })
  }

  /** A list answers nowhere: finds out whether the account does. */
  async settle(settling: Settling): Promise<void> {
    await this.#inTurn(async () => this.#settle(settling))
  }

  async #settle(settling: Settling): Promise<void> {
    if (this.#doubts.length === 0) return
    const isKnown = this.#doubts.some(({ isCharged }) => isCharged)
    if (!isKnown && !(await this.#doAllFail(settling))) return
    const uncharged = inARow(this.#doubts).filter(({ isCharged }) => !isCharged)
    const last = new Map(this.#doubts.map((doubt) => [doubt.watch, { ...doubt, isCharged: true }]))
    this.#doubts = [...last.values()]
    if (uncharged.length > 0) await settling.charge(uncharged)
  }

  async #doAllFail({ isRefused, send }: Settling): Promise<boolean> {
    const { probe = null, watched = [] } = this.#options ?? {}
    const asked = new Set<Watchable>()
    const allowed = watched.filter((watch) => !isRefused(watch))
    const next = (): Watchable | null =>
      nextWitness({ asked, doubts: this.#doubts, lastAnswers: this.#lastAnswers, watched: allowed })
    for (let watch = next(); watch !== null; watch = next()) {
      const ask = (await probe?.(watch)) ?? null
      asked.add(watch)
      if (ask === null) continue
      const outcome = await send(ask, watch)
      if (outcome.kind === 'deferred') return true
      if (!isFailure(outcome)) return false
    }
    return this.#doubts.length > 0
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }
}
