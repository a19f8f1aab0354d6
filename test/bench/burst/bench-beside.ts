import { existsSync } from 'node:fs'
import path from 'node:path'
import { backlog, BACKLOG } from './bench-backlog.ts'
import { burst, BURST } from './bench-burst.ts'
import { changedPass, CHANGES, WARM_UP_ROUNDS } from './bench-changes.ts'
import { quantile } from '../measure.ts'
import { Arena, median, ratioOf, type DeliveredRound } from './rounds.ts'
import { TWELVE_RULES } from './twelve-rules.ts'

/** What one round of a program took, beside the bare loop after it. */
interface Measured {
  readonly cpuMs: number
  /** Of two lengths of processor time, or of two rates: `Work.beside` says which. */
  readonly ratio: number
}

interface Work {
  readonly name: string
  readonly settings: Omit<Parameters<typeof Arena.open>[0], 'entry'>
  /** How many of what `name` says a round makes. */
  readonly amount: number
  /** What `ratio` compares with the bare loop's. */
  readonly beside: string
  readonly warmUp: number
  readonly rounds: number
  readonly round: (arena: Arena) => Promise<Measured>
}

const BURST_WORK: Work = {
  name: 'an event of a burst',
  settings: BURST,
  amount: BURST.shipments,
  beside: 'rate',
  warmUp: 1,
  rounds: 20,
  round: async (arena) => sent(await burst(arena)),
}

const CHANGES_WORK: Work = {
  name: 'a changed record of a pass',
  settings: CHANGES,
  amount: CHANGES.shipments / 10,
  beside: 'CPU',
  warmUp: WARM_UP_ROUNDS,
  rounds: 20,
  round: async (arena) => {
    const { bare, spent } = await changedPass(arena)
    return { cpuMs: spent.cpuMs, ratio: spent.cpuMs / bare.cpuMs }
  },
}

const BACKLOG_WORK: Work = {
  name: 'a delivery of a backlog',
  settings: BACKLOG,
  amount: BACKLOG.shipments,
  beside: 'rate',
  warmUp: 1,
  rounds: 20,
  round: async (arena) => sent(await backlog(arena)),
}

const WORKS = [BURST_WORK, CHANGES_WORK, BACKLOG_WORK]

function sent(round: DeliveredRound): Measured {
  return { cpuMs: round.spent.cpuMs, ratio: ratioOf(round) }
}

/**
 * The works of `burst`, `changes` and `backlog` by another checkout and by this one, in turns within one run: machines are faster
 * in one hour than in the next, and only such pairs tell two versions apart. `--other=FOLDER` is a checkout in which `npm ci` was
 * run. Linux only.
 */
export async function benchBeside(): Promise<string> {
  const folder = process.argv.find((word) => word.startsWith('--other='))?.slice('--other='.length)
  const entry = path.resolve(folder ?? '', 'src/bin.js')
  if (folder === undefined) throw new Error('Name another checkout: npm run bench -- beside --other=FOLDER')
  if (!existsSync(entry))
    throw new Error(`${entry} is missing: --other is to be a checkout in which \`npm ci\` was run.`)
  return await comparedAll(WORKS, { there: { entry }, here: {} })
}

/** The difference is larger than that of two versions: fewer pairs show it. */
const RULES_ROUNDS = 8

/** The works of `burst` and `changes` without expectations (there) and with twelve (here), in such pairs. Linux only. */
export async function benchRules(): Promise<string> {
  const works = [BURST_WORK, CHANGES_WORK].map((work) => ({ ...work, rounds: RULES_ROUNDS }))
  return await comparedAll(works, { there: {}, here: { extra: TWELVE_RULES } })
}

type Differing = Partial<Parameters<typeof Arena.open>[0]>

interface Sides {
  readonly there: Differing
  readonly here: Differing
}

async function comparedAll(works: readonly Work[], sides: Sides): Promise<string> {
  const lines: string[] = []
  for (const work of works) lines.push(await compared(work, sides))
  return lines.join('\n')
}

async function compared(
  { amount, beside, name, round, rounds, settings, warmUp }: Work,
  { here, there }: Sides,
): Promise<string> {
  await using other = await Arena.open({ ...settings, ...there })
  await using own = await Arena.open({ ...settings, ...here })
  const measured: { readonly other: Measured; readonly own: Measured }[] = []
  for (let turn = 0; turn < warmUp + rounds; turn += 1) {
    // Parts are made in the order in which they are written: each side begins every other turn.
    measured.push(
      turn % 2 === 0
        ? { other: await round(other), own: await round(own) }
        : { own: await round(own), other: await round(other) },
    )
  }
  const counted = measured.slice(warmUp)
  const side = (of: (pair: (typeof measured)[number]) => Measured): string => {
    const us = (median(counted.map((pair) => of(pair).cpuMs)) * 1_000) / amount
    return `${us.toFixed(0)} µs CPU, ${median(counted.map((pair) => of(pair).ratio)).toFixed(2)}× the bare loop's ${beside}`
  }
  const costs = counted.map((pair) => pair.own.cpuMs / pair.other.cpuMs)
  const [low = '', cost = '', high = ''] = [0.25, 0.5, 0.75].map((share) => quantile(costs, share).toFixed(2))
  const theirs = side((pair) => pair.other)
  return (
    `${name}: ${theirs} there, ${side((pair) => pair.own)} here: ` +
    `${cost}× the cost (median of ${rounds} pairs, quartiles ${low} and ${high})`
  )
}
