import { expect, test } from 'vitest'
import { AccountSupervisor, type AccountOpener } from '../../src/app/account-supervisor.ts'
import { KeyLimiters } from '../../src/app/key-limiters.ts'
import type { AccountSettings } from '../../src/model/account.ts'
import type { Tenant } from '../../src/poll/requests/tenant.ts'
import { BOUNDLESS_ACCOUNT } from '../support/boundless-account.ts'
import { FakeClock } from '../support/fake-clock.ts'

function account(name: string, apiKey: string, requests = 10): AccountSettings {
  return { ...BOUNDLESS_ACCOUNT, name, apiKey, budget: { ...BOUNDLESS_ACCOUNT.budget, requests } }
}

function tenant({ budget }: AccountSettings): Tenant {
  return {
    budget,
    load: async () => ({ pause: null, ceiling: null, spent: [], isSaidToWait: false }),
    count: async () => undefined,
    save: async () => undefined,
    sayWait: async () => undefined,
    sayWaitOver: async () => undefined,
  }
}

test('the limiter of a key lives as long as an account asks with it, reloads included', () => {
  const limiters = new KeyLimiters({ clock: new FakeClock(), random: () => 0 })
  const [one, other] = [account('one', 'a'), account('other', 'b')]
  const tenancies = [one, other].map((each) => limiters.join(each, tenant(each)))
  const [ofOne, ofOther] = tenancies.map(({ limiter }) => limiter)
  for (const tenancy of tenancies) tenancy[Symbol.dispose]()
  const again = account('one', 'a', 20)
  expect(limiters.join(again, tenant(again)).limiter).toBe(ofOne)
  limiters.dropUnused()
  const third = account('third', 'a')
  expect(limiters.join(third, tenant(third)).limiter).toBe(ofOne)
  expect(limiters.join(other, tenant(other)).limiter).not.toBe(ofOther)
})

test('a reload says when it has opened all accounts', async () => {
  const seen: string[] = []
  const clock = new FakeClock()
  const opener: AccountOpener = {
    places: () => new Map(),
    open: ({ name }) => {
      seen.push(`open ${name}`)
      throw new Error('nothing to poll')
    },
    opened: () => void seen.push('opened'),
  }
  await expect(new AccountSupervisor(opener, clock).follow([account('one', 'a')])).rejects.toThrow('nothing to poll')
  await new AccountSupervisor(opener, clock).follow([])
  expect(seen).toEqual(['open one', 'opened'])
})
