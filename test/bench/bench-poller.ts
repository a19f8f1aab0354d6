import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '../../src/clock.ts'
import { createLogger } from '../../src/log.ts'
import { createPlatformClient } from '../../src/platform/client.ts'
import { interfaceFields } from '../../src/platform/schemas.ts'
import { AccountPoller } from '../../src/poll/account-poller.ts'
import { Committer } from '../../src/poll/committer.ts'
import { ENDLESS_PATIENCE } from '../../src/poll/requests/account-client.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { BOUNDLESS_ACCOUNT } from '../support/boundless-account.ts'

export interface BenchPoller extends AsyncDisposable {
  /** One pass over the shipments, as `shipbell run --once` makes it. */
  pass(): Promise<void>
}

/** The product's own poller of the shipments at `url`, with a real store in a folder of its own. */
export function benchPoller(url: string): BenchPoller {
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-bench-'))
  const store = openStore({ path: path.join(folder, 'shipbell.db') })
  const account = { ...BOUNDLESS_ACCOUNT, baseUrl: url }
  const platform = createPlatformClient({ ...account, concurrency: 1, userAgent: 'bench', clock: systemClock })
  const poller = new AccountPoller({
    account,
    platform,
    committer: new Committer({ store, clock: systemClock, subscriptions: () => [], onDeliveries: () => undefined }),
    clock: systemClock,
    random: () => 0,
    log: createLogger({ level: 'silent', pretty: false, colour: false, secrets: () => [], write: () => undefined }),
    progress: () => undefined,
    patience: ENDLESS_PATIENCE,
    fields: interfaceFields(),
  })
  return {
    pass: async () => {
      const [list] = await poller.once(new AbortController().signal)
      if (list?.incomplete !== null) throw new Error(`the pass was not complete: ${list?.incomplete}`)
    },
    [Symbol.asyncDispose]: async () => {
      await platform[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
