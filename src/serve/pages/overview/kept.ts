import type { AdminContext } from '../../admin-context.ts'

const PATIENCE_MS = 100

/** Something that takes long to find out and changes slowly: a page shows it as it was found last, and has it looked up again. */
export class Kept<T> {
  readonly #desk: Pick<AdminContext, 'clock' | 'log'>
  readonly #look: () => Promise<T>
  readonly #forMs: number
  #found: T | null = null
  #foundAt = -Infinity
  #looking: Promise<void> | null = null

  constructor(desk: Pick<AdminContext, 'clock' | 'log'>, look: () => Promise<T>, forMs: number) {
    this.#desk = desk
    this.#look = look
    this.#forMs = forMs
  }

  /** null: not found out yet. Only who asks first waits, and not for long. */
  async value(): Promise<T | null> {
    const { clock } = this.#desk
    if (clock.monotonic() - this.#foundAt > this.#forMs) this.#looking ??= this.#find()
    if (this.#found === null && this.#looking !== null) {
      const waited = new AbortController()
      await Promise.race([this.#looking, clock.sleep(PATIENCE_MS, waited.signal)])
      waited.abort()
    }
    return this.#found
  }

  async #find(): Promise<void> {
    const { clock, log } = this.#desk
    try {
      this.#found = await this.#look()
    } catch (error) {
      log.error({ error: String(error), next: 'looked up again later' }, 'admin.failed')
    } finally {
      this.#foundAt = clock.monotonic()
      this.#looking = null
    }
  }
}
