import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { planAccount } from '../../src/app/account-plan.ts'
import { UnitsByAccount } from '../../src/app/account-units.ts'
import { openStore } from '../../src/store/sqlite/open-store.ts'
import { BOUNDLESS_ACCOUNT } from '../support/boundless-account.ts'

test('the plans of twenty accounts of one key load what each of them reads once', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-units-'))
  try {
    await using store = openStore({ path: path.join(folder, 'shipbell.db') })
    const loads: string[] = []
    const counting = new Proxy(store, {
      get: (of, name) => {
        if (name === 'learnt') {
          return async (account: string) => {
            loads.push(account)
            return of.learnt(account)
          }
        }
        return Reflect.get(of, name)
      },
    })
    const accounts = Array.from({ length: 20 }, (_, nth) => ({
      ...BOUNDLESS_ACCOUNT,
      name: `a${nth}`,
      baseUrl: 'https://platform.example',
    }))
    const now = Date.parse('2026-01-05T08:00:00Z')
    const units = new UnitsByAccount(counting, now)
    for (const account of accounts) {
      const plan = await planAccount(account, { accounts, store: counting, now, units })
      expect(plan.tenants).toBe(20)
    }
    expect(loads.toSorted()).toEqual(accounts.map(({ name }) => name).toSorted())
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
