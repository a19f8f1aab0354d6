import type { Config } from '../config/config.ts'
import { nearestName } from '../config/nearest-name.ts'
import { ShipbellError } from '../errors.ts'
import type { WouldRing } from '../model/expectation.ts'
import { backtestExpectation } from '../poll/expectations/backtest-expectation.ts'
import { rulesOf } from '../poll/expectations/account-rules.ts'
import type { Store } from '../store/ports/store.ts'

interface Trial {
  readonly name: string
  readonly since: number
  readonly now: number
}

/** What a rule of the configuration would have rung, in the order in which it would have. Throws `usage` where there is no such rule. */
export async function tryExpectation(
  store: Store,
  { accounts, file }: Pick<Config, 'accounts' | 'file'>,
  { name, now, since }: Trial,
): Promise<readonly WouldRing[]> {
  const names = [...new Set(accounts.flatMap(({ expectations = [] }) => expectations.map((rule) => rule.name)))]
  if (!names.includes(name)) throw noRule(file, name, names)
  const rung: WouldRing[] = []
  for (const account of accounts) {
    const rule = rulesOf(account).find((each) => each.rule.name === name)
    if (rule === undefined) continue
    for await (const each of backtestExpectation(store, { account, rule, since, now })) rung.push(each)
  }
  return rung.sort((left, right) => left.at - right.at)
}

function noRule(file: string, name: string, names: readonly string[]): ShipbellError {
  const nearest = nearestName(name, names)
  const known = names.length === 0 ? 'it has none.' : `it has ${names.join(', ')}.`
  const hint = nearest === undefined ? known : `did you mean ${nearest}?`
  return new ShipbellError('usage', `${file} has no expectation ${JSON.stringify(name)}: ${hint}`)
}
