import { accountScenario } from './account-scenario.ts'
import { BUDGET, EVERY, LATENCY } from './budget.ts'
import { Clairvoyant } from './clairvoyant.ts'
import { byBusinessHours, byRateOfTheHour } from './expected-delay.ts'
import { oracle } from './oracle.ts'
import { runPoller } from './run-poller.ts'
import { runPolicy, type Policy } from './run-policy.ts'
import type { Scenario } from './scenario.ts'
import type { Sightings } from './sightings.ts'
import { summarise, type Summary } from './summary.ts'
import { DAY, HOUR, MINUTE, SECOND } from './time.ts'
import { isLive, isTracked, uniformSweep } from './uniform-sweep.ts'

/** A few simulated days of one account. */
export async function benchFreshness(): Promise<string> {
  return report(accountScenario(Number(process.env['SHIPBELL_BENCH_SEED'] ?? 1), 3))
}

/** Two weeks of several accounts: a day's delays of one account differ by more than two good policies do. */
export async function benchFreshnessLong(): Promise<string> {
  const reports: string[] = []
  for (const seed of [1, 2, 3, 4, 5]) reports.push(await report(accountScenario(seed, 14)))
  return reports.join('\n')
}

async function report(scenario: Scenario): Promise<string> {
  const ours = await runPoller(scenario)
  const naive = runPolicy(scenario, uniformSweep(scenario, { name: 'all', isSwept: () => true }))
  const uniform = runPolicy(scenario, uniformSweep(scenario, { name: 'live', isSwept: isTracked }))
  const clairvoyants = foresights(scenario).map((policy) => runPolicy(scenario, policy))
  const bound = runPolicy(scenario, oracle(scenario))
  const days = ((scenario.endAt - scenario.countedFrom) / DAY).toFixed(0)
  const live = scenario.courses.filter((course) => isLive(course, scenario.startAt)).length
  const heading = `freshness, ${scenario.name}: ${scenario.listAt(scenario.startAt).length} shipments, ${live} live, ${days} days counted`
  return [
    heading,
    ...(['first', 'whole'] as const).map((measure) =>
      compare(measure, { ours: ours.sightings, naive, uniform, clairvoyants, bound }),
    ),
    spent(
      scenario,
      ours.asked.map(({ sentAt }) => sentAt),
    ),
    promises(ours.sightings),
  ].join('\n  ')
}

interface Runs {
  readonly ours: Sightings
  readonly naive: Sightings
  readonly uniform: Sightings
  readonly clairvoyants: readonly Sightings[]
  readonly bound: Sightings
}

function compare(measure: 'first' | 'whole', runs: Runs): string {
  const of = (sightings: Sightings): Summary => summarise(sightings.delays()[measure])
  const [ours, uniform, naive] = [of(runs.ours), of(runs.uniform), of(runs.naive)]
  const [best] = runs.clairvoyants.map(of).toSorted((one, other) => one.mean - other.mean)
  const lines = [
    `delay until ${measure === 'first' ? 'a change is seen' : 'all of a change is seen'}, ${ours.count} changes, minutes (mean, median, p95):`,
    `ours ${say(ours)}`,
    `uniform sweep of what is live ${say(uniform)}: ${ratio(ours, uniform)}`,
    `uniform sweep of everything ${say(naive)}: ${ratio(ours, naive)}`,
    ...(best === undefined
      ? []
      : [`clairvoyant ${say(best)}: ours attains ${((100 * best.mean) / ours.mean).toFixed(1)} % (mean)`]),
    ...(measure === 'first' ? [`oracle ${say(of(runs.bound))}`] : []),
  ]
  return lines.join('\n    ')
}

/** The greedy rule in all its forms: the best of them is the yardstick. */
function foresights(scenario: Scenario): readonly Policy[] {
  const { waited, marginal } = byBusinessHours(scenario.startAt, scenario.endAt)
  return [byRateOfTheHour, waited, marginal].flatMap((urgency) =>
    [false, true].map(
      (followsSignals) => new Clairvoyant(scenario, { name: 'clairvoyant', urgency, followsSignals, trustsList: true }),
    ),
  )
}

function say({ mean, median, p95 }: Summary): string {
  return `${mean.toFixed(2)}, ${median.toFixed(2)}, ${p95.toFixed(1)}`
}

function ratio(ours: Summary, other: Summary): string {
  return `mean 1/${(other.mean / ours.mean).toFixed(2)}, median 1/${(other.median / ours.median).toFixed(2)}`
}

function spent({ startAt, endAt }: Scenario, sentAt: readonly number[]): string {
  const most = sentAt.reduce((max, at, nth) => {
    const inWindow = nth - lastBefore(sentAt, { nth, at: at - BUDGET.perMs })
    return Math.max(max, inWindow)
  }, 0)
  const whole = Math.floor(((endAt - startAt - LATENCY) / BUDGET.perMs) * BUDGET.requests)
  return `requests: ${sentAt.length} of ${whole}, at most ${most} in any minute (budget ${BUDGET.requests})`
}

/** The index of the last request not later than `at`, looking back from the nth. */
function lastBefore(sentAt: readonly number[], { nth, at }: { readonly nth: number; readonly at: number }): number {
  let index = nth
  while (index >= 0 && (sentAt[index] ?? 0) > at) index -= 1
  return index
}

function promises({ promises: kept }: Sightings): string {
  const one = (channel: 'list' | 'tracking', every: string): string => {
    const { broken, worst } = kept.kept(channel)
    return `${channel} (every ${every}) ${broken} times late, at worst by ${(worst / SECOND).toFixed(0)} s`
  }
  return `promises: ${one('list', `${EVERY.list / MINUTE}m`)}; ${one('tracking', `${EVERY.tracking / HOUR}h`)}`
}
