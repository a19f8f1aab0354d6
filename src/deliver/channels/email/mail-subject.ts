import { cut } from '../../../message/words/short.ts'
import { counted } from '../../../message/words/span.ts'
import { groupEvents } from './event-groups.ts'
import { plainText } from './plain-text.ts'
import type { RenderedEvent } from './rendered-event.ts'

/** Phones show less, and longer lines are folded by servers. */
const LONGEST = 150

/** One event: its sentence. Several: how many, and how many of them are urgent; `day` where they are those of a day. */
export function subjectOf(events: readonly RenderedEvent[], day: string | null): string {
  const [only] = events
  const text = only !== undefined && events.length === 1 && day === null ? withoutStop(only) : counts(events, day)
  return cut(plainText(text).trim(), LONGEST)
}

function withoutStop({ message }: RenderedEvent): string {
  return message.sentence.replace(/\.$/, '')
}

function counts(events: readonly RenderedEvent[], day: string | null): string {
  const due = groupEvents(events).filter((group) => group.due !== null).length
  const of = (tone: string): number => events.filter(({ message }) => message.tone === tone).length
  const parts = [
    counted(events.length, 'event'),
    due === 0 ? null : `${due} falling due`,
    of('critical') === 0 ? null : `${of('critical')} critical`,
    of('warning') === 0 ? null : counted(of('warning'), 'warning'),
  ]
  const whose = [onlyAccount(events), day].filter((part) => part !== null).join(', ')
  return `${whose === '' ? '' : `${whose}: `}${parts.filter((part) => part !== null).join(', ')}`
}

/** null where they are of several. */
export function onlyAccount(events: readonly RenderedEvent[]): string | null {
  const accounts = new Set(events.map(({ event }) => event.account))
  const [account = null] = accounts
  return accounts.size === 1 ? account : null
}
