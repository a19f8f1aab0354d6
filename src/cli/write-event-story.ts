import type { EventStory } from '../model/event-rule.ts'
import { shownRecord } from '../model/event-data.ts'
import type { Attempt } from '../model/delivery.ts'
import type { Change, ShipbellEvent } from '../model/event.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { loggedPayload } from '../model/payload.ts'
import type { CommandContext } from './command-context.ts'
import { DELIVERY_STYLES } from './delivery-rows.ts'
import { eventLine } from './event-line.ts'
import type { TracedDelivery } from '../report/delivery.ts'
import type { EventTrace } from '../report/event-story.ts'
import { observedWords, whyWords } from '../report/story-words.ts'
import { provenanceLines } from './provenance-lines.ts'
import { painter, terminalText, type Style } from './terminal.ts'
import { wallTime, withWallTimes } from './wall-clock.ts'

type Paint = (style: Style, text: string) => string

/** The longest line of a record: enough for any field that is meant for people. */
const LONGEST_RECORD_LINE = 2_000

/** Explains an event to people, section by section. Whatever it says of records is safe for a terminal. */
export function writeEventStory(
  context: CommandContext,
  { story, deliveries }: EventTrace,
  { records }: { readonly records: boolean },
): void {
  const paint = painter(context)
  const { event } = story
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Why', whyLines(story)],
    ['Seen', seenLines(story)],
    ['Changes', (event.changes ?? []).map((change) => changeLine(change, paint))],
    ...(records ? recordSections(event) : []),
    ['Corrects', story.corrects === null ? [] : [referenceLine(story.corrects)]],
    ['Corrected by', story.correctedBy.map(referenceLine)],
    [`Events of ${terminalText(`${event.subject.resource} ${event.subject.id}`)}`, chainLines(story)],
    [
      'Deliveries',
      deliveries.length === 0 ? ['No subscription matched.'] : deliveries.flatMap((each) => deliveryLines(each, paint)),
    ],
  ]
  const { expiredAt } = event
  context.stdout.write(`${paint('bold', eventLine(loggedPayload(event)))}\n${paint('dim', event.id)}\n`)
  if (expiredAt !== null) context.stdout.write(`\n${expiredLine(expiredAt)}\n`)
  for (const [title, lines] of sections) {
    if (lines.length === 0) continue
    context.stdout.write(`\n${paint('bold', title)}\n${lines.map((line) => `  ${line}\n`).join('')}`)
  }
  const hint = '--verbose shows the whole records too, --json everything as one document.'
  if (!records && expiredAt === null) context.stdout.write(`\n${paint('dim', hint)}\n`)
}

function expiredLine(at: number): string {
  return `Its payload expired at ${wallTime(at)} (retention.payloads): what it told is gone, who got it stays.`
}

function whyLines(story: EventStory): readonly string[] {
  return whyWords(story).map((line) => terminalText(withWallTimes(line), LONGEST_RECORD_LINE))
}

function seenLines(story: EventStory): readonly string[] {
  const { provenance } = story
  return [...(provenance === null ? [] : provenanceLines(provenance)), ...observedWords(story).map(withWallTimes)]
}

function changeLine({ path, from, to, removed }: Change, paint: Paint): string {
  const gone = removed === true ? ' (no longer there)' : ''
  return `${terminalText(path)}: ${paint('red', brief(from))} → ${paint('green', brief(to))}${gone}`
}

function brief(value: Json): string {
  if (value === null) return '–'
  return terminalText(typeof value === 'string' ? value : JSON.stringify(value))
}

function recordSections(event: ShipbellEvent): readonly (readonly [string, readonly string[]])[] {
  const { before, object } = event
  return [
    ['Before', recordLines(before && shownRecord(event, before))],
    [before === null ? 'The record' : 'After', recordLines(object && shownRecord(event, object))],
  ]
}

function recordLines(record: JsonObject | null): readonly string[] {
  if (record === null) return []
  return JSON.stringify(record, null, 2)
    .split('\n')
    .map((line) => terminalText(line, LONGEST_RECORD_LINE))
}

function chainLines({ event, previous, next }: EventStory): readonly string[] {
  const { previousEventId, version } = event.subject
  // What is shown in a snapshot may never have rung.
  const none = version === 0 ? 'none: nothing rang of it' : 'none: it is the first'
  const gone = previousEventId === null ? none : `${previousEventId}: dropped (retention.ledger)`
  const before = previous === null ? gone : referenceLine(previous)
  return [
    `before  ${before}`,
    `this    number ${version}`,
    `after   ${next === null ? 'none yet' : referenceLine(next)}`,
  ]
}

function referenceLine({ id, type, timestamp }: ShipbellEvent): string {
  return `${wallTime(timestamp)}  ${type}  ${terminalText(id)}`
}

function deliveryLines({ delivery, attempts }: TracedDelivery, paint: Paint): readonly string[] {
  const { id, subscription, state, nextAttemptAt } = delivery
  const next = nextAttemptAt === null ? '' : `, next attempt at ${wallTime(nextAttemptAt)}`
  const row = `${terminalText(subscription)}  ${paint(DELIVERY_STYLES[state], state)}${next}  ${paint('dim', id)}`
  return [row, ...attempts.map((attempt) => `  ${attemptLine(attempt)}`)]
}

function attemptLine({ at, durationMs, status, error, answer }: Attempt): string {
  const outcome = [status === null ? null : String(status), error].filter((part) => part !== null).join(': ')
  const said = answer === null || answer === '' ? '' : `  ${terminalText(answer)}`
  return `${wallTime(at)}  ${durationMs} ms  ${terminalText(outcome)}${said}`
}
