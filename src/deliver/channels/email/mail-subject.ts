import { cut } from '../../../message/words/short.ts'
import type { Severity } from '../../../model/severity.ts'
import { countOf } from '../../../message/wording/numbers.ts'
import type { Wording } from '../../../message/wording/wording.ts'
import { groupEvents } from './event-groups.ts'
import type { RenderedEvent } from './rendered-event.ts'
import { plainText } from './plain-text.ts'

/** Phones show less, and longer lines are folded by servers. */
const LONGEST = 150

interface SubjectOptions {
  /** The day of a digest; null: mail as it happens. */
  readonly day: string | null
  readonly wording: Wording
}

/** One event: its sentence. Several: how many, and how many of them are urgent; `day` where they are those of a day. */
export function subjectOf(events: readonly RenderedEvent[], options: SubjectOptions): string {
  const [only] = events
  const isOne = only !== undefined && events.length === 1 && options.day === null
  const text = isOne ? withoutStop(only) : counts(events, options)
  return cut(plainText(text).trim(), LONGEST)
}

function withoutStop({ message }: RenderedEvent): string {
  return message.sentence.replace(/\.$/, '')
}

function counts(events: readonly RenderedEvent[], { day, wording }: SubjectOptions): string {
  const due = groupEvents(events).filter((group) => group.due !== null).length
  const of = (tone: Severity): number => events.filter(({ message }) => message.tone === tone).length
  const parts = [
    countOf(events.length, 'event', wording),
    due === 0 ? null : countOf(due, 'fallingDue', wording),
    of('critical') === 0 ? null : countOf(of('critical'), 'critical', wording),
    of('warning') === 0 ? null : countOf(of('warning'), 'warning', wording),
  ]
  const whose = [onlyAccount(events), day].filter((part) => part !== null).join(', ')
  return `${whose === '' ? '' : `${whose}${wording.terms.colon}`}${parts.filter((part) => part !== null).join(', ')}`
}

/** The account of the events; null where they are of several. */
export function onlyAccount(events: readonly RenderedEvent[]): string | null {
  const accounts = new Set(events.map(({ event }) => event.account))
  const [account = null] = accounts
  return accounts.size === 1 ? account : null
}
