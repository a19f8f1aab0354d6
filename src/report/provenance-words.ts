import { formatDuration } from '../model/duration.ts'
import { formatInstant } from '../model/instant.ts'
import type { Missed, Provenance, ProvenancePass, ReadReason } from '../model/provenance.ts'
import type { Read } from '../model/record-state.ts'
import { watchedAs } from '../model/resource.ts'

/** What looked, in plain sentences; a colon at the end leads to the requests. */
export function howKnown(provenance: Provenance): readonly string[] {
  const { by, exchanges, lastRead, missed, pass, resource } = provenance
  const list = resource === null ? 'its list' : watchedAs(resource)
  switch (by) {
    case 'page':
      return [`A page of ${passOf(pass, list)} showed it:`]
    case 'pass':
      return [
        `${capital(passOf(pass, list))} showed it as a whole${exchanges.length > 0 ? '; its last request:' : '.'}`,
      ]
    case 'absence':
      return [...missedLines(pass, missed, list), ...(exchanges.length > 0 ? ['A fetch by its id:'] : [])]
    case 'item':
      return ['A fetch by its id showed it:']
    case 'items':
      return [`Items of ${list} that were read one by one showed it together.`]
    case 'calendar':
      return [...readLines(lastRead), ...verifiedLines(provenance)]
    case 'settled':
      return [
        'Its estimate was held for as long as `settle` says, then rang without a further read.',
        ...readLines(lastRead),
      ]
    case 'derived':
      return ['No read by itself showed it: it follows of what reads showed of several records.']
    case 'health':
      return [exchanges.length === 1 ? 'This request showed it:' : 'These requests showed it:']
    default:
      return by satisfies never
  }
}

/** Why a target was read when it was; null where the question does not arise. */
export function whyThen({ by, why }: Provenance): string | null {
  return why === undefined ? null : whenRead(why, by)
}

function whenRead(why: ReadReason, by: Provenance['by']): string {
  const what = by === 'page' ? 'this page' : 'it'
  switch (why.kind) {
    case 'first':
      return 'It was read then because nothing had been read of it before.'
    case 'promise': {
      const unit = by === 'page' ? 'every page of its list' : 'it'
      return `It was read then because ${unit} is to be read every ${formatDuration(why.everyMs)}.`
    }
    case 'likely': {
      const { expected, waitedMs } = why
      const changes = `${roughly(expected)} ${expected === 1 ? 'change was' : 'changes were'} expected`
      return `It was read then because ${changes} of ${what} in the ${span(waitedMs)} since its last read, more than elsewhere.`
    }
    case 'announced':
      return `It was read then because the row of its shipment had just changed.`
    case 'once':
      return 'It was read then because a command read everything.'
    default:
      return why satisfies never
  }
}

/** Whole seconds. */
function span(ms: number): string {
  return formatDuration(Math.round(ms / 1_000) * 1_000)
}

function roughly(amount: number): string {
  return String(Number(amount.toPrecision(2)))
}

function readLines(read: Read | undefined): readonly string[] {
  return read === undefined ? [] : [`The record was last read at ${formatInstant(read.answeredAt)}.`]
}

function missedLines(pass: ProvenancePass | undefined, missed: Missed | undefined, list: string): readonly string[] {
  if (pass === undefined || missed === undefined) return []
  const { passes, lastMetBy } = missed
  // Passes that were cut short count neither as met nor as missed, and leave gaps in the numbers.
  const inARow = pass.number - lastMetBy === passes
  const before =
    passes === 1
      ? ''
      : inARow
        ? `, as ${numbers(lastMetBy + 1, pass.number - 1)} had`
        : `, ${passes} complete ones in all`
  const met = lastMetBy === 0 ? '' : `; pass ${lastMetBy} was the last to show it`
  return [`${capital(passOf(pass, list))} missed it${before}${met}.`]
}

function numbers(first: number, last: number): string {
  return first === last ? `pass ${first}` : `passes ${first} to ${last}`
}

function verifiedLines({ exchanges, overruled = false, pass }: Provenance): readonly string[] {
  if (overruled) {
    const shown = pass === undefined ? 'its list' : `pass ${pass.number} over its list`
    return [
      `For a day fetches by its id told something else; ${shown} still showed it and was believed. The last fetch:`,
    ]
  }
  if (pass !== undefined) {
    const asked = exchanges.length > 0 ? 'A fetch by its id found nothing; ' : ''
    return [capital(`${asked}pass ${pass.number} over its list showed it again and so verified it.`)]
  }
  return exchanges.length > 0 ? ['A fetch by its id verified it:'] : []
}

function passOf(pass: ProvenancePass | undefined, list: string): string {
  if (pass === undefined) return list
  const begun = pass.startedAt === null ? '' : ` (begun at ${formatInstant(pass.startedAt)})`
  return `pass ${pass.number} over ${list}${begun}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
