import { randomOf, type Random } from '../../src/sandbox/random.ts'
import type { Store } from '../../src/store/ports/store.ts'
import { StoreFile } from '../support/store-file.ts'
import { WorldRun, type Findings, type Round, type Upheaval } from '../world/world-run.ts'

const MUTATIONS = 100_000
const MUTATIONS_A_LIFE = 2_000
const RESOURCES = [
  'shipment',
  'shipment',
  'invoice',
  'document',
  'purchase_order',
  'location',
  'order_preparation',
] as const
/** `SHIPBELL_BENCH_SECONDS` stops it earlier; it then says how far it came. */
const SECONDS = Number(process.env['SHIPBELL_BENCH_SECONDS'] ?? 3_600)

/** Worlds that live long under a hostile platform, and what of them rang. */
export async function benchWorld(): Promise<string> {
  const startedAt = performance.now()
  const total = { lives: 0, mutations: 0, expected: 0, events: 0, missed: 0, invented: 0, broken: 0, deaths: 0 }
  const of = { calendar: 0, held: 0, missed: 0 }
  const seconds = (): number => (performance.now() - startedAt) / 1_000
  while (total.mutations < MUTATIONS && seconds() < SECONDS) {
    total.lives += 1
    const life = await live(total.lives, seconds)
    total.mutations += life.run.world.mutations
    total.expected += life.run.expected
    total.events += life.run.events
    total.deaths += life.run.deaths
    of.calendar += life.run.byCalendar
    of.held += life.run.held
    of.missed += life.run.missedExpectations
    for (const { missed, invented, broken } of life.findings) {
      total.missed += missed.length
      total.invented += invented.length
      total.broken += broken.length
    }
  }
  const { lives, mutations, expected, events, missed, invented, broken, deaths } = total
  const recall = percent(expected - missed, expected)
  const precision = percent(events - invented, events)
  return (
    `world, ${mutations} mutations in ${lives} lives, ${deaths} deaths: ${events} events, ` +
    `${of.calendar} by the calendar, ${of.held} holds, ${of.missed} missed expectations, recall ${recall}, precision ${precision}, ${broken} broken invariants, ${seconds().toFixed(0)} s`
  )
}

async function live(
  seed: number,
  seconds: () => number,
): Promise<{ readonly run: WorldRun; readonly findings: readonly Findings[] }> {
  const random = randomOf('bench', seed)
  await using file = new StoreFile()
  const open = async (again: boolean): Promise<Store> => (again ? file.reopen() : file.store)
  await using run = new WorldRun({ account: 'bench', seed, resources: RESOURCES, fewest: 6, open })
  const findings: Findings[] = []
  const note = (found: Findings): void => {
    if (found.missed.length + found.invented.length + found.broken.length > 0) {
      console.error(JSON.stringify({ seed, round: findings.length, ...found }))
    }
    findings.push(found)
  }
  while (run.world.mutations < MUTATIONS_A_LIFE && seconds() < SECONDS) note(await run.round(roundOf(random)))
  for (const found of await run.settle()) note(found)
  return { run, findings }
}

function roundOf(random: Random): Round {
  return {
    mutations: Array.from({ length: random.whole(0, 60) }, () => random.whole(0, 2 ** 31)),
    faults: random.pick([0, 0, 0.03, 0.2]),
    drift: random.pick([0, 0.2, 0.5]),
    kills: random.pick([0, 0, 0.01, 0.1]),
    restart: random.chance(0.2),
    leapMs: random.pick([60_000, 60_000, 3_600_000, 6 * 3_600_000, 86_400_000]),
    upheaval: random.chance(0.2) ? upheavalOf(random) : null,
    verdict: random.pick([null, null, null, null, 'accept', 'reject']),
  }
}

function upheavalOf(random: Random): Upheaval {
  return {
    list: random.whole(0, 99),
    kind: random.pick(['empty', 'foreign', 'contradicted', 'exodus', 'homecoming']),
    size: random.whole(5, 8),
    rounds: random.whole(1, 6),
    findsById: random.chance(0.5),
  }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${(100 * (part / whole)).toFixed(part === whole ? 0 : 4)} %`
}
