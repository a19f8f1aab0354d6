import { standingsOf, type StandingExpectation } from '../report/expectation.ts'
import type { ExpectedRecord } from '../model/expectation.ts'
import type { Store } from '../store/ports/store.ts'

interface Asked {
  readonly now: number
  readonly account?: string
  readonly limit: number
}

const AT_ONCE = 500

/** Where expectations stand, by account, resource and id, and whether more follow. */
export async function standings(
  store: Pick<Store, 'accounts' | 'expected' | 'expectedRecords'>,
  { account, limit, now }: Asked,
): Promise<{ readonly items: readonly StandingExpectation[]; readonly more: boolean }> {
  const accounts = (await store.accounts(now)).map((each) => each.account).filter((name) => name === (account ?? name))
  const items: StandingExpectation[] = []
  for (const name of accounts) {
    const { rules } = await store.expected(name, [])
    let after: ExpectedRecord | null = null
    for (let isLast = rules.length === 0; !isLast && items.length <= limit;) {
      const page: readonly ExpectedRecord[] = await store.expectedRecords(name, { which: 'all', after, most: AT_ONCE })
      items.push(...page.flatMap((record) => standingsOf(name, record, rules)))
      after = page.at(-1) ?? null
      isLast = page.length < AT_ONCE
    }
  }
  return { items: items.slice(0, limit), more: items.length > limit }
}
