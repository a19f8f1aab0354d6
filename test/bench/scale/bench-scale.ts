import { quantile } from '../measure.ts'
import { ANSWERS_AFTER_MS, Delivering, PLACES, type Rate } from './delivering.ts'
import { ENDPOINTS } from './backlog.ts'
import { benchScaleClaims } from './claims.ts'
import { type CpuLimit, findLimiter } from './cpu-limit.ts'

const CREWS = [1, 2, 4] as const
const BARS: Readonly<Record<number, number>> = { 2: 1.8, 4: 3.2 }
const SHARE = Number(process.env['SHIPBELL_BENCH_SHARE'] ?? 10)
const ROUNDS = Number(process.env['SHIPBELL_BENCH_ROUNDS'] ?? 3)
const HELD = { rows: 400, seconds: 15 }
const FREE = { rows: 800, seconds: 8 }

/** The rates of each crew, by its size. */
type Rates = ReadonlyMap<number, readonly Rate[]>

/** All that is measured of workers on PostgreSQL, one after the other. Linux only. */
export async function benchScale(): Promise<string> {
  return [await benchScaleWorkers(), await benchScaleStores(), await benchScaleClaims()].join('\n')
}

/** Workers that share one PostgreSQL: how much more they deliver than one, and what it costs. Linux only. */
export async function benchScaleWorkers(): Promise<string> {
  await using delivering = await Delivering.open()
  const head = `scale-workers, ${ENDPOINTS} endpoints with ${PLACES} places, answers after ${ANSWERS_AFTER_MS} ms:`
  const by = findLimiter()
  const held =
    by === null
      ? '  workers held to a share of a core: left out, `apt-get install cpulimit` first'
      : describe(
          `each worker held to ${SHARE} % of a core by ${by}, median of ${ROUNDS} interleaved rounds`,
          await interleaved(delivering, { by, percent: SHARE }),
        )
  const free = describe('nobody held: the cores of the machine are the limit', await interleaved(delivering, null))
  return [head, held, free].join('\n')
}

/** What one process delivers on PostgreSQL, beside one on SQLite, in turns. Linux only. */
export async function benchScaleStores(): Promise<string> {
  await using delivering = await Delivering.open()
  const rounds: { readonly sqlite: Rate; readonly postgres: Rate }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const sqlite = await delivering.alone('sqlite', FREE)
    rounds.push({ sqlite, postgres: await delivering.alone('postgres', FREE) })
  }
  const ratio = median(rounds.map(({ sqlite, postgres }) => postgres.perSecond / sqlite.perSecond))
  return [
    `scale-stores, one worker, ${ENDPOINTS} endpoints with ${PLACES} places, median of ${ROUNDS} pairs: PostgreSQL ${ratio.toFixed(2)}× of SQLite (bar 0.5×, aim 0.8×)`,
    line(
      'SQLite',
      rounds.map(({ sqlite }) => sqlite),
    ),
    line(
      'PostgreSQL',
      rounds.map(({ postgres }) => postgres),
    ),
  ].join('\n')
}

async function interleaved(delivering: Delivering, limit: CpuLimit | null): Promise<Rates> {
  const rates = new Map<number, Rate[]>(CREWS.map((workers) => [workers, []]))
  for (let round = 0; round < (limit === null ? 1 : ROUNDS); round += 1) {
    for (const workers of CREWS) {
      const plan = limit === null ? FREE : HELD
      rates.get(workers)?.push(await delivering.onPostgres({ workers, limit, ...plan }))
    }
  }
  return rates
}

function describe(how: string, rates: Rates): string {
  const alone = rates.get(1) ?? []
  const lines = [...rates].map(([workers, own]) => {
    const ratio = median(own.map(({ perSecond }, round) => perSecond / (alone[round]?.perSecond ?? Number.NaN)))
    const bar = how.startsWith('each') && BARS[workers] !== undefined ? ` (bar ${BARS[workers]}×)` : ''
    return `${line(`${workers} ${workers === 1 ? 'worker' : 'workers'}`, own)}: ${ratio.toFixed(2)}×${bar}`
  })
  return [`  ${how}`, ...lines].join('\n')
}

function line(who: string, rates: readonly Rate[]): string {
  const of = (figure: (rate: Rate) => number): string => median(rates.map(figure)).toFixed(0)
  return (
    `    ${who}: ${of((rate) => rate.perSecond)}/s; CPU for 1,000: worker ${of((rate) => rate.workerMs)} ms, ` +
    `PostgreSQL ${of((rate) => rate.databaseMs)} ms, receiver ${of((rate) => rate.receiverMs)} ms`
  )
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
