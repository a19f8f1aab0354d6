import { printableJson } from '../printable.ts'
import type { SubscriptionDifference } from '../operate/diff/compare-log.ts'
import { DIFFERENCES } from '../operate/diff/difference-marks.ts'
import type { CommandContext } from './command-context.ts'

/** Ids that are written at once. */
const CHUNK = 1_000

/** The subscriptions, each with all that differs, one made after the other. */
export function* differenceItems(subscriptions: readonly SubscriptionDifference[]): Generator<object> {
  for (const { ids, name, perDay } of subscriptions)
    yield {
      subscription: name,
      ...Object.fromEntries(DIFFERENCES.map((difference) => [difference, [...ids(difference)]])),
      per_day: amounts(perDay),
    }
}

/** `differenceItems` as one document, written piece by piece: lists may hold every event of a log. */
export function writeDifferences(
  { stdout }: Pick<CommandContext, 'stdout'>,
  subscriptions: readonly SubscriptionDifference[],
): void {
  let separator = '[\n'
  for (const { ids, name, perDay } of subscriptions) {
    stdout.write(`${separator}  {\n    "subscription": ${text(name)},\n`)
    for (const difference of DIFFERENCES) {
      stdout.write(`    "${difference}": `)
      writeIds(stdout, ids(difference))
      stdout.write(',\n')
    }
    const { new: after, old } = amounts(perDay)
    stdout.write(`    "per_day": {\n      "old": ${old},\n      "new": ${after}\n    }\n  }`)
    separator = ',\n'
  }
  stdout.write(separator === '[\n' ? '[]\n' : '\n]\n')
}

function writeIds(stdout: CommandContext['stdout'], ids: Iterable<string>): void {
  let lines: string[] = []
  let separator = '[\n'
  const flush = (): void => {
    if (lines.length === 0) return
    stdout.write(separator + lines.join(',\n'))
    separator = ',\n'
    lines = []
  }
  for (const id of ids) {
    lines.push(`      ${text(id)}`)
    if (lines.length === CHUNK) flush()
  }
  flush()
  stdout.write(separator === '[\n' ? '[]' : '\n    ]')
}

function text(value: string): string {
  return printableJson(JSON.stringify(value))
}

/** Messages a day, to the hundredth. */
export function amounts({ old, new: after }: SubscriptionDifference['perDay']): {
  readonly old: number
  readonly new: number
} {
  return { old: Math.round(old * 100) / 100, new: Math.round(after * 100) / 100 }
}
