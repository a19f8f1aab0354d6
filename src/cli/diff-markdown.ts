import type { SubscriptionDifference, TypeDifference } from '../operate/diff/compare-log.ts'
import { amounts } from './diff-json.ts'
import { terminalText } from './terminal.ts'
import { amount, type ComparedConfigurations, differs, NOTHING_TRIED, untriedLines } from './write-diff.ts'
import { wallTime } from './wall-clock.ts'

// A comment of a git host holds some 65,000 characters.
const MOST_ROWS = 60
const MOST_DETAILED = 15
const MOST_TYPES = 12
const MOST_UNTRIED = 1_500

/** What differs, as Markdown for a pull request: of bounded length, however much that is. Nothing of a record is in it. */
export function differenceMarkdown(compared: ComparedConfigurations): string {
  const { files, log } = compared
  const { from, subscriptions, tried } = log
  const differing = subscriptions.filter(differs)
  const events = `${counted(tried, 'event')} since ${wallTime(from)}`
  const summary =
    tried === 0
      ? NOTHING_TRIED
      : differing.length === 0
        ? `Nothing differs: ${events} would have been told alike.`
        : `Tried on ${events}: ${amount(differing.length)} of ${counted(subscriptions.length, 'subscription')} would have been told otherwise.`
  const untried = untriedLines(compared).map((line) => `> ${proseOf(line)}`)
  const parts = [
    `### What ${codeSpan(files.new)} would send, beside ${codeSpan(files.old)}`,
    summary,
    ...(subscriptions.length === 0 ? [] : [tableOf(differing.length === 0 ? subscriptions : differing)]),
    ...differing.slice(0, MOST_DETAILED).map(detailsOf),
    ...(untried.length === 0 ? [] : [untried.join('\n>\n')]),
  ]
  return `${parts.join('\n\n')}\n`
}

function tableOf(subscriptions: readonly SubscriptionDifference[]): string {
  const rows = subscriptions.slice(0, MOST_ROWS).map(({ counts, isIn, name, perDay }) => {
    const { new: after, old } = amounts(perDay)
    const figures = [counts.less, counts.more, counts.different].map(amount)
    return rowOf([codeSpan(name), ...figures, isIn.old ? amount(old) : '–', isIn.new ? amount(after) : '–'])
  })
  const left = subscriptions.length - rows.length
  return [
    rowOf(['Subscription', 'Less', 'More', 'Different', 'Messages a day', 'Under the new one']),
    '| --- | --: | --: | --: | --: | --: |',
    ...rows,
    ...(left > 0 ? ['', `And ${counted(left, 'subscription')} more.`] : []),
  ].join('\n')
}

function detailsOf({ name, types }: SubscriptionDifference): string {
  const left = types.length - MOST_TYPES
  return [
    `<details><summary>${codeTag(name)}, by type</summary>`,
    '',
    rowOf(['Type', 'Less', 'More', 'Different', 'Such as']),
    '| --- | --: | --: | --: | --- |',
    ...types.slice(0, MOST_TYPES).map(typeRow),
    ...(left > 0 ? ['', `And ${counted(left, 'type')} more.`] : []),
    '',
    '</details>',
  ].join('\n')
}

function typeRow({ counts, examples, type }: TypeDifference): string {
  const figures = [counts.less, counts.more, counts.different].map(amount)
  return rowOf([codeSpan(type), ...figures, examples.map(codeSpan).join(' ')])
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** A text that means nothing to Markdown, nor to a table. */
function codeSpan(text: string): string {
  const safe = terminalText(text).replaceAll('|', '¦')
  const longest = Math.max(0, ...[...safe.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const space = longest > 0 ? ' ' : ''
  return `${fence}${space}${safe}${space}${fence}`
}

function codeTag(text: string): string {
  const safe = terminalText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<code>${safe}</code>`
}

/** One of our own sentences, in which names of the files stand. */
function proseOf(line: string): string {
  const cut = line.length > MOST_UNTRIED ? `${line.slice(0, MOST_UNTRIED)}…` : line
  return cut.replaceAll(/[\\*_<>[\]|~#@!]/g, (character) => `\\${character}`)
}

function counted(number: number, noun: string): string {
  return `${amount(number)} ${noun}${number === 1 ? '' : 's'}`
}
