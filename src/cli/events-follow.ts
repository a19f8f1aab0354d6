import type { LoggedEvent } from '../model/event.ts'
import { LogTrail } from '../model/log-trail.ts'
import { loggedPayload } from '../model/payload.ts'
import type { LogStore } from '../store/ports/log-port.ts'
import type { EventQuery, LogQueryStore } from '../store/ports/log-query-port.ts'
import type { CommandContext } from './command-context.ts'
import { loggedLine } from './event-line.ts'
import type { JsonOutput } from './json-output.ts'
import { painter } from './terminal.ts'

export type EventFilter = Pick<EventQuery, 'account' | 'types' | 'subjectId' | 'since'>

interface Following {
  readonly store: LogQueryStore & Pick<LogStore, 'logPage'>
  readonly filter: EventFilter
  /** Everything after it is new. */
  readonly place: number
  /** The events that are shown first; the last of them may be new, too. */
  readonly before: Iterable<LoggedEvent> | AsyncIterable<LoggedEvent>
  readonly json: JsonOutput | null
}

const LOOK_EVERY_MS = 1_000
const AT_ONCE = 200
/** More than ring while the first events are read. */
const REMEMBERED = 10_000

/** Shows events as they ring, whoever rings them, until the command is interrupted or nobody reads on. */
export async function followEvents(context: CommandContext, following: Following): Promise<void> {
  const { before, filter, json, store } = following
  const { clock, signal, stdout } = context
  const paint = painter(context)
  const shown = new Set<string>()
  const show = (event: LoggedEvent): void => {
    if (json === null) stdout.write(`${loggedLine(event, paint)}\n`)
    else json.line(loggedPayload(event))
  }
  for await (const event of before) {
    show(event)
    shown.add(event.id)
    if (shown.size > REMEMBERED) shown.clear()
  }
  for (const trail = new LogTrail(store, following.place); !signal.aborted && stdout.writable !== false;) {
    const { events, wentBack } = await trail.next(AT_ONCE)
    for (const { event } of events) if (isAsked(event, filter) && !shown.has(event.id)) show(event)
    if (events.length < AT_ONCE && !wentBack) {
      shown.clear()
      await clock.sleep(LOOK_EVERY_MS, signal)
    }
  }
}

function isAsked(event: LoggedEvent, { account, subjectId, types }: EventFilter): boolean {
  return (
    (account === undefined || event.account === account) &&
    (subjectId === undefined || event.subject.id === subjectId) &&
    (types === undefined || types.includes(event.type))
  )
}
