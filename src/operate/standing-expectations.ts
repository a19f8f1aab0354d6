import { standingsOf, type StandingExpectation } from '../report/expectation.ts'
import type { AccountSettings } from '../model/account.ts'
import type { ExpectedRecord } from '../model/expectation.ts'
import { digestOf, rulesOf } from '../poll/expectations/account-rules.ts'
import { joinedRecords } from '../poll/expectations/expectation-views.ts'
import type { CompiledRule } from '../route/expectation/compiled-rule.ts'
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

/** Changes that only put an instant off are judged once it has come: until then it is worked out here. */
export async function withInstantsOfToday(
  store: Pick<Store, 'expected' | 'records' | 'related'>,
  accounts: readonly AccountSettings[],
  items: readonly StandingExpectation[],
): Promise<readonly StandingExpectation[]> {
  const instants = new Map<StandingExpectation, number | null>()
  for (const account of accounts) {
    const rules = await deferringRules(store, account)
    const waiting = items.filter((item) => item.account === account.name && item.state === 'waiting')
    for (const [name, rule] of rules) {
      const own = waiting.filter((item) => item.name === name)
      for (let from = 0; from < own.length; from += AT_ONCE)
        await judgeInto(instants, own.slice(from, from + AT_ONCE), { store, account, rule })
    }
  }
  return items.map((item) => ({ ...item, by: instants.get(item) ?? item.by }))
}

interface Judging {
  readonly store: Pick<Store, 'records' | 'related'>
  readonly account: AccountSettings
  readonly rule: CompiledRule
}

async function judgeInto(
  instants: Map<StandingExpectation, number | null>,
  items: readonly StandingExpectation[],
  { account: { name, timeZone }, rule, store }: Judging,
): Promise<void> {
  const joined = await joinedRecords(
    store,
    { account: name, timeZone },
    items.map(({ subject }) => subject),
  )
  const views = new Map(joined.map(({ key, view }) => [key.id, view]))
  for (const item of items) {
    const view = views.get(item.subject.id)
    const saying = view === undefined ? null : rule.judge(view)
    if (saying?.kind === 'judged' && saying.isExpected) instants.set(item, saying.by)
  }
}

/** The rules of the configuration whose instant changes put off, by name, as far as the account is judged by them already. */
async function deferringRules(
  store: Pick<Store, 'expected'>,
  account: AccountSettings,
): Promise<ReadonlyMap<string, CompiledRule>> {
  const { rules } = await store.expected(account.name, [])
  const digests = new Map(rules.map(({ digest, name }) => [name, digest]))
  const own = rulesOf(account).filter(({ defers, rule }) => {
    return defers !== null && digests.get(rule.name) === digestOf(rule, account.timeZone)
  })
  return new Map(own.map((rule) => [rule.rule.name, rule]))
}
