import { PAGE } from './budget.ts'
import type { Scenario } from './scenario.ts'
import { pagesOf, type Policy, type Read } from './run-policy.ts'
import type { Sightings } from './sightings.ts'

/** Knows what has changed, and always reads where the most is waiting: no policy that has to guess can do better. */
export function oracle(scenario: Scenario): Policy {
  return { next: (at, sightings) => richest(scenario, at, sightings) }
}

function richest(scenario: Scenario, at: number, sightings: Sightings): Read {
  const list = scenario.listAt(at)
  let [most, best]: [number, Read] = [0, { kind: 'page', page: 0 }]
  for (let page = 0; page < pagesOf(scenario, at); page += 1) {
    const rows = list.slice(page * PAGE, (page + 1) * PAGE)
    const waiting = rows.reduce((sum, course) => sum + sightings.waiting(course, 'list', at), 0)
    if (waiting > most) [most, best] = [waiting, { kind: 'page', page }]
  }
  for (const course of list) {
    const waiting = sightings.waiting(course, 'tracking', at)
    if (waiting > most) [most, best] = [waiting, { kind: 'tracking', course }]
  }
  return best
}
