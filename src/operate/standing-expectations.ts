import { standingsOf, type StandingExpectation } from '../report/expectation.ts'
import type { AccountSettings } from '../model/account.ts'
import { digestOf, rulesOf } from '../poll/expectations/account-rules.ts'
import { expectedPages } from '../poll/expectations/expected-pages.ts'
import { joinedRecords } from '../poll/expectations/expectation-views.ts'
import type { CompiledRule } from '../route/expectation/compiled-rule.ts'
import type { Store } from '../store/ports/store.ts'

interface Asked {
  readonly now: number
  readonly account?: string
  readonly limit: number
}

/** Records that are joined with what belongs to them at once. */
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
    if (rules.length === 0) continue
    for await (const records of expectedPages(store, name, 'all')) {
      items.push(...records.flatMap((record) => standingsOf(name, record, rules)))
      if (items.length > limit) break
    }
    if (items.length > limit) break
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
  const waiting = Map.groupBy(
    items.filter(({ state }) => state === 'waiting'),
    ({ account }) => account,
  )
  for (const account of accounts) {
    const byName = Map.groupBy(waiting.get(account.name) ?? [], ({ name }) => name)
    if (byName.size === 0) continue
    for (const rule of await deferringRules(store, account)) {
      const own = byName.get(rule.rule.name) ?? []
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

/** The rules of the configuration whose instant changes put off, as far as the account is judged by them already. */
async function deferringRules(
  store: Pick<Store, 'expected'>,
  account: AccountSettings,
): Promise<readonly CompiledRule[]> {
  const deferring = rulesOf(account).filter(({ defers }) => defers !== null)
  if (deferring.length === 0) return []
  const { rules } = await store.expected(account.name, [])
  const digests = new Map(rules.map(({ digest, name }) => [name, digest]))
  return deferring.filter(({ rule }) => digests.get(rule.name) === digestOf(rule, account.timeZone))
}
