import { BUDGET, EVERY } from './budget.ts'
import { RIVALS, type Role } from './rivals.ts'
import { runPoller, type PollerRun } from './run-poller.ts'
import { runPolicy } from './run-policy.ts'
import type { Scenario } from './scenario.ts'
import type { Sightings } from './sightings.ts'
import { summarise, type Summary } from './summary.ts'
import { DAY, HOUR, MINUTE, SECOND } from './time.ts'
import { isLive } from './uniform-sweep.ts'

type Measure = 'first' | 'whole'

const SAID: Readonly<Record<Measure, string>> = {
  first: 'until a change is seen, by whichever read shows it first',
  whole: 'until all of a change is seen, in the list and in the tracking',
}

/** The real poller beside its rivals on the same accounts; delays of all accounts together. */
export async function compare(name: string, scenarios: readonly Scenario[]): Promise<string> {
  const runs: PollerRun[] = []
  for (const scenario of scenarios) runs.push(await runPoller(scenario))
  const ours = runs.map(({ sightings }) => sightings)
  const rivals = RIVALS.map((rival) => ({
    role: rival.role,
    runs: scenarios.map((scenario) => runPolicy(scenario, rival.policyFor(scenario))),
  }))
  return [
    `freshness, ${name}: ${scenarios.map(describe).join('; ')}; ${BUDGET.requests} requests a minute`,
    ...(['first', 'whole'] as const).map((measure) => {
      const best = (role: Role): Summary =>
        bestOf(rivals.filter((rival) => rival.role === role).map((rival) => pooled(rival.runs, measure)))
      if (measure === 'first') requireSoundYardstick(best)
      return compareDelays(measure, pooled(ours, measure), best)
    }),
    `requests: ${runs.map(({ asked }, nth) => spent(asked, scenarios[nth])).join('; ')}`,
    `promises: ${(['list', 'tracking'] as const).map((channel) => promise(ours, channel)).join('; ')}; ${runs
      .map(({ passes }, nth) => passesSaid(passes, scenarios[nth]))
      .join('; ')}`,
    `the clairvoyant's own: ${(['list', 'tracking'] as const)
      .map((channel) => promise(rivals.find(({ role }) => role === 'clairvoyant')?.runs ?? [], channel))
      .join('; ')}`,
  ].join('\n  ')
}

function describe({ listAt, courses, startAt, countedFrom, endAt }: Scenario): string {
  const live = courses.filter((course) => isLive(course, startAt)).length
  return `${listAt(startAt).length} shipments, ${live} live, ${((endAt - countedFrom) / DAY).toFixed(0)} days counted`
}

function pooled(runs: readonly Sightings[], measure: Measure): Summary {
  return summarise(runs.flatMap((sightings) => sightings.delays()[measure]))
}

function bestOf(summaries: readonly Summary[]): Summary {
  return summaries.reduce((best, next) => (next.mean < best.mean ? next : best))
}

/** What knows more is never later. */
function requireSoundYardstick(best: (role: Role) => Summary): void {
  const means = (['oracle', 'glimpse', 'live', 'everything'] as const).map((role) => best(role).mean)
  if (means.some((mean, nth) => mean > (means[nth + 1] ?? Number.POSITIVE_INFINITY))) {
    throw new Error(`the rivals are not in their order: mean delays of ${means.join(', ')} minutes`)
  }
}

function compareDelays(measure: Measure, ours: Summary, best: (role: Role) => Summary): string {
  const attained = (role: Role): string => `ours attains ${((100 * best(role).mean) / ours.mean).toFixed(1)} % (mean)`
  const ratio = (role: Role): string => {
    const { mean, median } = best(role)
    return `mean 1/${(mean / ours.mean).toFixed(2)} (bar 1/2.5), median 1/${(median / ours.median).toFixed(2)} (bar 1/5)`
  }
  return [
    `${SAID[measure]}, ${ours.count} changes, minutes (mean, median, p95):`,
    `ours ${say(ours)}`,
    `uniform sweep of what is live ${say(best('live'))}: ${ratio('live')}`,
    `uniform sweep of everything ${say(best('everything'))}: ${ratio('everything')}`,
    `clairvoyant ${say(best('clairvoyant'))}: ${attained('clairvoyant')} (bar 90 %)`,
    ...(measure === 'first'
      ? [
          `clairvoyant that follows no signals ${say(best('glimpse'))}: ${attained('glimpse')}`,
          `oracle ${say(best('oracle'))}`,
        ]
      : []),
  ].join('\n    ')
}

function say({ mean, median, p95 }: Summary): string {
  return `${mean.toFixed(2)}, ${median.toFixed(2)}, ${p95.toFixed(1)}`
}

function spent(asked: PollerRun['asked'], scenario: Scenario | undefined): string {
  const span = scenario === undefined ? 0 : scenario.endAt - scenario.startAt
  const most = asked.reduce((max, { sentAt }, nth) => {
    let first = nth
    while (first > 0 && (asked[first - 1]?.sentAt ?? 0) > sentAt - BUDGET.perMs) first -= 1
    return Math.max(max, nth - first + 1)
  }, 0)
  const whole = Math.floor((span / BUDGET.perMs) * BUDGET.requests)
  return `${asked.length} of ${whole}, at most ${most} in any minute`
}

/** From the start of one complete pass to that of the next, or to the end. */
function passesSaid(passes: readonly number[], scenario: Scenario | undefined): string {
  const counted = [...passes.filter((at) => at >= (scenario?.countedFrom ?? 0)), scenario?.endAt ?? 0]
  const longest = counted.slice(1).reduce((most, at, nth) => Math.max(most, at - (counted[nth] ?? at)), 0)
  return `${counted.length - 1} complete passes, at most ${(longest / MINUTE).toFixed(1)} min from start to start`
}

function promise(runs: readonly Sightings[], channel: 'list' | 'tracking'): string {
  const kept = runs.map(({ promises }) => promises.kept(channel))
  const broken = kept.reduce((sum, each) => sum + each.broken, 0)
  const worst = Math.max(0, ...kept.map((each) => each.worst)) / SECOND
  const every = channel === 'list' ? `${EVERY.list / MINUTE}m` : `${EVERY.tracking / HOUR}h`
  return `${channel} (every ${every}) ${broken} times late, at worst by ${worst.toFixed(0)} s`
}
