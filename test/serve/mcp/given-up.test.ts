import { expect, test } from 'vitest'
import { createLogger } from '../../../src/log.ts'
import { listChanges } from '../../../src/serve/mcp/tools/list-changes.ts'
import { InMemoryDeskStore } from '../../desk/in-memory-desk-store.ts'
import { T } from '../../store/samples.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const LOG = createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined })
const SLICE_MS = 700

/** A store that takes its time for each page of a log without end. */
class EndlessStore extends InMemoryDeskStore {
  asked = 0
  readonly #clock: FakeClock

  constructor(clock: FakeClock) {
    super()
    this.#clock = clock
  }

  override async eventPage() {
    this.asked += 1
    await this.#clock.sleep(SLICE_MS)
    return { items: [], next: 'more' }
  }
}

test('what a tool that takes longer than 5 s was asked for is given up', async () => {
  const clock = new FakeClock(T)
  const store = new EndlessStore(clock)
  const called = listChanges.call(
    { since: '7d' },
    {
      clock,
      log: LOG,
      version: '0.0.0',
      store,
      accounts: () => [],
      publicUrl: () => null,
      configSchema: () => ({}),
      status: async () => await Promise.reject(new Error('Nobody asks.')),
      actions: null,
    },
  )
  await clock.advance(5_000)
  const { content, isError } = await called
  expect([isError, content]).toMatchObject([true, [{ text: expect.stringContaining('longer than 5 s') }]])
  const { asked } = store
  await clock.advance(60_000)
  expect([asked, store.asked]).toEqual([8, 8])
})
