import { delay } from '../../plan/backoff.ts'
import type { PollContext } from '../poll-context.ts'
import type { Failure } from '../requests/health.ts'
import type { ItemRead } from './item-reader.ts'
import type { Setbacks } from './setbacks.ts'

/** Failed requests in a row after which it is asked whether the resource answers at all. */
const FAILURES_IN_DOUBT = 3
/** Items that answered before and are asked then. */
const MOST_WITNESSES = 3
/** Where none ever answered, so many have to fail, or all there are. */
const MOST_UNKNOWN = 20
const RETRY_FIRST_MS = 1_000
const RETRY_MOST_MS = 5 * 60_000

export type FailedItem = Extract<ItemRead, { readonly kind: 'failed' }> & { readonly id: string }

interface DoubtsOptions extends Pick<PollContext, 'accountClient' | 'clock' | 'random'> {
  readonly setbacks: Setbacks
  /** Items that answered, the last one first. */
  readonly answeredBefore: () => Promise<readonly string[]>
}

type ReadItem = (id: string) => Promise<ItemRead>

/**
 * Decides whether an item that fails fails alone, or whether its resource does not answer (guarantee D9). The failure of one is
 * nobody else's: until another item answers it is in doubt. If several fail in a row, those that answered last are asked. Where
 * they fail too, the failures are the account's, and one request at a time shows whether the resource answers again.
 */
export class ItemDoubts {
  readonly #options: DoubtsOptions
  /** Items that failed since another one answered. */
  readonly #doubtful = new Set<string>()
  /** The last failed requests since something answered. */
  #failures: readonly Failure[] = []
  /** Failures since no item answers; null: some may. */
  #downFor: number | null = null
  #retryAt = 0
  #isUnknown = false
  #deciding: Promise<void> | null = null

  constructor(options: DoubtsOptions) {
    this.#options = options
  }

  /** Whether no item of the resource answers. */
  get isDown(): boolean {
    return this.#downFor !== null
  }

  /** When it is asked again whether the resource answers, while it does not. */
  get retryAt(): number {
    return this.#retryAt
  }

  /** Who would be to blame for a failure of the item, as far as is known. */
  blame(id: string): 'item' | 'platform' | 'unknown' {
    if (this.#options.setbacks.isOwn(id)) return 'item'
    return this.isDown ? 'platform' : 'unknown'
  }

  /** An item answered: whatever failed before fails alone. */
  answered(): void {
    const { setbacks } = this.#options
    this.#failures = []
    this.#isUnknown = false
    setbacks.judge(this.#doubtful, 'own')
    this.#doubtful.clear()
    if (this.#downFor === null) return
    this.#downFor = null
    setbacks.end('down')
  }

  /** An item failed. One that is known to fail alone says nothing of others. */
  failed(item: FailedItem): void {
    const { exchange, id, reason, why } = item
    if (exchange === null || why !== 'trouble' || this.#options.setbacks.isOwn(id)) return
    if (this.#downFor === null) {
      this.#failures = [...this.#failures, { exchange, reason }].slice(-FAILURES_IN_DOUBT)
      this.#doubtful.add(id)
    } else {
      this.#downFor += 1
      this.#wait(this.#downFor)
    }
  }

  /** Whether more items may be asked for, once those that answered last were asked where too many failed. */
  async mayGoOn(read: ReadItem): Promise<boolean> {
    await this.#decide(read, false)
    return !this.isDown
  }

  /** All that were due have been asked for. */
  async endBatch(read: ReadItem): Promise<void> {
    await this.#decide(read, true)
  }

  async #decide(read: ReadItem, areAllAsked: boolean): Promise<void> {
    if (this.isDown || this.#failures.length < FAILURES_IN_DOUBT) return
    this.#deciding ??= this.#ask(read, areAllAsked).finally(() => (this.#deciding = null))
    await this.#deciding
  }

  async #ask(read: ReadItem, areAllAsked: boolean): Promise<void> {
    const { answeredBefore, setbacks } = this.#options
    if (!this.#isUnknown) {
      const witnesses = (await answeredBefore()).filter((id) => !setbacks.has(id)).slice(0, MOST_WITNESSES)
      for (const id of witnesses) {
        await read(id)
        if (this.#doubtful.size === 0) return
      }
      this.#isUnknown = witnesses.length === 0
    }
    if (this.#isUnknown && !areAllAsked && this.#doubtful.size < MOST_UNKNOWN) return
    await this.#goDown()
  }

  /** The failures were nobody's so far: they are the account's now, unless they counted because it was in trouble already. */
  async #goDown(): Promise<void> {
    const { accountClient, setbacks } = this.#options
    const failures = this.#failures
    setbacks.judge(this.#doubtful, 'down')
    this.#doubtful.clear()
    this.#failures = []
    this.#downFor = 1
    this.#wait(1)
    if (!accountClient.isCalm) return
    await accountClient.charge(failures)
  }

  #wait(count: number): void {
    const { clock, random } = this.#options
    const waitMs = delay({ first: RETRY_FIRST_MS, most: RETRY_MOST_MS, count, random: random() })
    this.#retryAt = clock.now() + waitMs
  }
}
