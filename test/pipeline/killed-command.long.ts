import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Store } from '../../src/store/ports/store.ts'
import { openStore } from '../../src/store/file/open-store.ts'
import { CONFIGURATION } from '../cli/ledger.ts'
import { ring, sampleEvent, T } from '../store/samples.ts'
import { Workplace } from '../support/shipbell.ts'

const MANY = 8_000

async function fill(store: Store): Promise<void> {
  await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
  const events = Array.from({ length: MANY }, (_, n) => sampleEvent(`evt_${n}`))
  await ring(store, events, ['erp'])
}

test('a command that is killed amid a backlog leaves each row in one state, and the next one goes on', async () => {
  using work = new Workplace()
  work.write('shipbell.yaml', CONFIGURATION)
  await using store = openStore({ path: path.join(work.folder, 'shipbell.db') })
  await fill(store)
  const counts = async () => (await store.endpoints())[0]?.counts

  const disabling = work.start('subscriptions', 'disable', 'erp')
  while (((await counts())?.held ?? 0) === 0) await nextTurn()
  disabling.kill('SIGKILL')
  await disabling.ended
  const halfway = await counts()
  expect((halfway?.held ?? 0) + (halfway?.pending ?? 0)).toBe(MANY)
  expect(halfway?.pending).toBeGreaterThan(0)
  expect(await store.claim({ owner: 'one', now: T, leaseMs: 1, slots: new Map([['erp', 9]]) })).toEqual([])

  const { code, stdout } = await work.run('subscriptions', 'enable', 'erp', '--discard', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ subscription: 'erp', discarded: MANY })
  expect(await counts()).toMatchObject({ pending: 0, held: 0, discarded: MANY })
})
