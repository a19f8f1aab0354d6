import { expect, test } from 'vitest'
import { planAccount } from '../../src/operate/account-plan.ts'
import { UnitsByAccount } from '../../src/operate/account-units.ts'
import { BOUNDLESS_ACCOUNT } from '../support/boundless-account.ts'
import { StoreFile } from '../support/store-file.ts'

test('the plans of twenty accounts of one key load what each of them reads once', async () => {
  await using file = new StoreFile()
  const { store } = file
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
  const units = new UnitsByAccount({ store: counting, now })
  for (const account of accounts) {
    const plan = await planAccount(account, { accounts, store: counting, now, units })
    expect(plan.tenants).toBe(20)
  }
  expect(loads.toSorted()).toEqual(accounts.map(({ name }) => name).toSorted())
})
