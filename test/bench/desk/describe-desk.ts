import { quantile } from '../measure.ts'
import type { Asked } from './ask.ts'
import type { DeskSize } from './desk-size.ts'
import type { Seen, SlowQuery } from './probe.ts'

/** Deliveries beside so many clients. */
export interface Crowd {
  readonly clients: number
  readonly pauseMs: number
  /** Milliseconds from the platform's answer to the receiver having the event, while nobody browses and while they do, in turns. */
  readonly pairs: readonly { readonly without: readonly number[]; readonly beside: readonly number[] }[]
  /** What each page took. */
  readonly times: readonly number[]
  /** Why streams ended before their client did. */
  readonly cuts: readonly string[]
  readonly seen: readonly Seen[]
}

export interface DeskFigures {
  readonly size: DeskSize
  readonly asked: readonly Asked[]
  readonly alone: Seen
  readonly crowds: readonly Crowd[]
  /** Errors of the daemon's log. */
  readonly complaints: readonly string[]
}

const QUERY_BAR_MS = 20
const AIM_MS = 20
const RATIO_BAR = 1.3
const SHOWN = 12

export function describeDesk({ alone, asked, complaints, crowds, size }: DeskFigures): string {
  const slow = asked.filter(({ p95, question }) => p95 > question.bar)
  const late = asked.filter(({ p95 }) => p95 > AIM_MS)
  return [
    `desk, ${size.shipments} shipments, ${size.events} events, ${2 * size.events} deliveries; ms: p50 / p95 / p99, first; processor; bare p50 / p95`,
    ...asked.map(line),
    `${asked.length - slow.length} of ${asked.length} within their bar (50 ms), ${asked.length - late.length} within the aim of ${AIM_MS} ms`,
    ...(slow.length === 0 ? [] : [`beyond their bar: ${slow.map(({ question }) => question.name).join(', ')}`]),
    `event loop while they were asked one by one: late by ${ms(alone.loopP99)} (99 %), ${ms(alone.loopMost)} at most`,
    `longest transactions, of the processor (bar ${QUERY_BAR_MS} ms) and by the clock:`,
    ...longest([alone, ...crowds.flatMap(({ seen }) => seen)]).map(
      (each) => `  ${ms(each.cpuMs)}, ${ms(each.ms)} ${each.name} (${each.runs} of 1 ms and more)`,
    ),
    ...crowds.map(crowdLine),
    ...(complaints.length === 0 ? [] : [`${complaints.length} errors in the log, such as ${complaints[0]}`]),
  ].join('\n')
}

function line({ bare, bytes, cpuMs, first, p50, p95, p99, question }: Asked): string {
  const mark = p95 > question.bar ? ' !' : ''
  const size = `${(bytes / 1_000).toFixed(0)} kB`.padStart(7)
  return `  ${question.name.padEnd(52)} ${[p50, p95, p99].map(ms).join(' / ')}, ${ms(first)}; ${ms(cpuMs)}; ${ms(bare.p50)} / ${ms(bare.p95)} ${size}${mark}`
}

function longest(all: readonly Seen[]): readonly SlowQuery[] {
  const named = Map.groupBy(
    all.flatMap(({ queries }) => queries),
    ({ name }) => name,
  )
  const sums = [...named].map(([name, each]) => ({
    name,
    ms: Math.max(...each.map((query) => query.ms)),
    cpuMs: Math.max(...each.map((query) => query.cpuMs)),
    runs: each.reduce((sum, { runs }) => sum + runs, 0),
  }))
  return sums.toSorted((one, other) => other.cpuMs - one.cpuMs).slice(0, SHOWN)
}

function crowdLine({ clients, cuts, pairs, pauseMs, seen, times }: Crowd): string {
  const [beside, without] = [pairs.flatMap((each) => each.beside), pairs.flatMap((each) => each.without)]
  const all = quantile(beside, 0.99) / quantile(without, 0.99)
  const ratios = pairs.map((each) => quantile(each.beside, 0.99) / quantile(each.without, 0.99))
  return [
    `${clients} clients with a stream each, ${pauseMs} ms between pages, ${times.length} pages of ${trio(times)} ms:`,
    `  deliveries ${trio(beside)} ms against ${trio(without)} ms without them: p99 ${all.toFixed(2)}×, ${quantile(ratios, 0.5).toFixed(2)}× in the median pair of turns (bar ${RATIO_BAR}×)`,
    `  ${beside.length} deliveries against ${without.length}, ${cuts.length} streams cut; event loop late by ${ms(Math.max(...seen.map(({ loopP99 }) => loopP99)))} (99 %), ${ms(Math.max(...seen.map(({ loopMost }) => loopMost)))} at most`,
  ].join('\n')
}

function trio(values: readonly number[]): string {
  return [0.5, 0.95, 0.99].map((part) => ms(quantile(values, part))).join(' / ')
}

function ms(value: number): string {
  return value.toFixed(1)
}
