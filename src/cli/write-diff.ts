import type { ComparedFiles } from '../operate/diff/compare-files.ts'
import type { LogComparison, SubscriptionDifference } from '../operate/diff/compare-log.ts'
import type { CommandContext } from './command-context.ts'
import { amounts } from './diff-json.ts'
import { writeTable, type Column } from './table.ts'
import { painter, terminalText } from './terminal.ts'
import { wallTime } from './wall-clock.ts'

/** What a command of two configurations says. */
export interface ComparedConfigurations {
  readonly files: { readonly old: string; readonly new: string }
  readonly untried: ComparedFiles['untried']
  readonly log: LogComparison
}

const COLUMNS: readonly Column[] = [
  { title: 'SUBSCRIPTION' },
  { title: 'LESS', align: 'right' },
  { title: 'MORE', align: 'right' },
  { title: 'DIFFERENT', align: 'right' },
  { title: 'A DAY', align: 'right' },
  { title: 'UNDER NEW', align: 'right' },
]

const TYPE_COLUMNS: readonly Column[] = [
  { title: 'TYPE' },
  { title: 'LESS', align: 'right' },
  { title: 'MORE', align: 'right' },
  { title: 'DIFFERENT', align: 'right' },
  { title: 'SUCH AS' },
]

/** What differs between two configurations, for people. */
export function writeDifference(context: CommandContext, compared: ComparedConfigurations): void {
  const { stdout } = context
  const table = { stream: stdout, paint: painter(context) }
  const { subscriptions } = compared.log
  stdout.write(`${headline(compared)}\n\n`)
  if (subscriptions.length === 0) stdout.write('Neither configuration has a subscription.\n')
  else writeTable(COLUMNS, subscriptions.map(rowOf), table)
  for (const { name, types } of subscriptions.filter(differs)) {
    stdout.write(`\n${table.paint('bold', name)}\n`)
    const rows = types.map(({ counts, examples, type }) => [
      type,
      amount(counts.less),
      amount(counts.more),
      amount(counts.different),
      examples[0] ?? '',
    ])
    writeTable(TYPE_COLUMNS, rows, table)
  }
  const untried = untriedLines(compared)
  if (untried.length > 0) stdout.write(`\n${untried.join('\n')}\n`)
}

/** A log without events says nothing of what would change. */
export const NOTHING_TRIED = 'Nothing could be tried: the log has no such event with its payload.'

/** What was tried, in one sentence. */
function headline({ files, log }: ComparedConfigurations): string {
  const { from, subscriptions, tried } = log
  const differing = subscriptions.filter(differs).length
  if (tried === 0) return NOTHING_TRIED
  const events = `${counted(tried, 'event')} since ${wallTime(from)}`
  const names = [files.old, files.new].map((file) => terminalText(file))
  if (differing === 0) return `Nothing differs between ${names.join(' and ')}: ${events} would have been told alike.`
  const who = `${amount(differing)} of ${counted(subscriptions.length, 'subscription')}`
  return `From ${names.join(' to ')}, tried on ${events}: ${who} would have been told otherwise.`
}

export function differs({ counts }: SubscriptionDifference): boolean {
  return counts.less + counts.more + counts.different > 0
}

function rowOf({ counts, name, perDay, isIn }: SubscriptionDifference): readonly string[] {
  const { new: after, old } = amounts(perDay)
  const figures = [counts.less, counts.more, counts.different].map(amount)
  return [name, ...figures, isIn.old ? amount(old) : '–', isIn.new ? amount(after) : '–']
}

/** What was not tried, and what an operator is to know of what was. */
export function untriedLines({ log, untried }: ComparedConfigurations): readonly string[] {
  const { expired, subscriptions } = log
  const keys = untried.map((key) => terminalText(key)).join(', ')
  const unjudged = subscriptions.filter((each) => each.unjudged > 0)
  return [
    ...(untried.length === 0
      ? []
      : [`Not tried, because these keys differ and a log cannot show what they do: ${keys}.`]),
    ...(expired === 0 ? [] : [`Not tried: ${counted(expired, 'event')} whose payload has expired.`]),
    ...unjudged.map(
      (each) => `The new \`where\` of ${each.name} failed on ${counted(each.unjudged, 'event')}, which it lets pass.`,
    ),
  ]
}

export function amount(number: number): string {
  return number.toLocaleString('en')
}

function counted(number: number, noun: string): string {
  return `${amount(number)} ${noun}${number === 1 ? '' : 's'}`
}
