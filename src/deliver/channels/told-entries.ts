import { netEntries } from '../../message/net/net-entries.ts'
import { nameWithId, saidEntry } from '../../message/net/entry-words.ts'
import type { NetEntry } from '../../message/net/net-entry.ts'
import type { Message } from '../../message/message.ts'
import { titleOfNews, withoutStop } from '../../message/title.ts'
import { countOf } from '../../message/wording/numbers.ts'
import type { Wording } from '../../message/wording/wording.ts'
import { cut } from '../../message/words/short.ts'
import { alteredEvent, type ShipbellEvent } from '../../model/event.ts'
import type { EventLink } from '../../model/event-link.ts'
import type { Severity } from '../../model/severity.ts'
import type { RenderMessage } from './message-renderer.ts'

/** The most characters of a line in a digest, or about one of several events. */
export const LONGEST_LINE = 320

/** What one message tells of. */
export type ManyEvents = readonly [ShipbellEvent, ...ShipbellEvent[]]

/** What became of one shipment or other record, as the readers of a channel see it. */
export interface ToldEntry {
  readonly tone: Severity
  /** The shipment, named once; null: the lines name what they are about. */
  readonly name: string | null
  /** What is said, the heaviest first; never empty. */
  readonly lines: readonly string[]
  /** The news of the heaviest change in a headline. */
  readonly title: string
  readonly links: readonly EventLink[]
}

/** The entries of one message, the heaviest first; those in which all is back to what it was only where there are no others. */
export function entriesToTell(events: ManyEvents): readonly NetEntry[] {
  const entries = netEntries(events)
  const changed = entries.filter(({ changes }) => changes.length > 0)
  return changed.length > 0 ? changed : entries
}

/** The most lines that one entry has among many, and where it is all that a message tells; what is beyond is counted. */
const MOST_OF_MANY = 3
const MOST_OF_ONE = 12

/** What one message tells of the only shipment or record that it is about: a name that its title has to cut is told whole below. */
export function onlyEntry(entry: NetEntry, render: RenderMessage): ToldEntry {
  const told = entryTeller([entry], { render, mostLines: MOST_OF_ONE })(entry)
  const { name, title } = told
  const [first = '', ...rest] = told.lines
  if (name === null || title.includes(entry.name ?? entry.id)) return told
  const { wording } = render(entry.events[0])
  return { ...told, lines: [`${name}${wording.terms.colon}${first}`, ...rest] }
}

/**
 * Says entries in the words of a channel's readers. Two shipments of one name have their id beside it. Lines of an operator's
 * template are told behind its headline.
 */
export function entryTeller(
  entries: readonly NetEntry[],
  { render, mostLines = MOST_OF_MANY }: { readonly render: RenderMessage; readonly mostLines?: number },
): (entry: NetEntry) => ToldEntry {
  const names = Map.groupBy(entries, ({ name }) => name)
  return (entry) => {
    const heaviest = render(entry.changes[0]?.event ?? entry.events[0])
    const { wording } = heaviest
    const { name, lines } = saidEntry(entry, wording, (event, form) => withOwnLines(render(event))[form])
    const isShared = (names.get(entry.name)?.length ?? 0) > 1 && entry.name !== null
    const texts = lines.map(({ text }) => text)
    const more = texts.length - mostLines
    return {
      tone: entry.tone,
      name: name !== null && isShared ? nameWithId(entry) : name,
      lines: more > 0 ? [...texts.slice(0, mostLines), `${countOf(more, 'moreChanges', wording)}.`] : texts,
      title:
        entry.changes.length === 0 ? titleOfNews(withoutStop(lines[0].text), entry.name ?? entry.id) : heaviest.title,
      links: linksOf(entry, render),
    }
  }
}

/** What a message says of its event, with the lines that an operator's template adds. */
export function withOwnLines({
  facts,
  line,
  sentence,
}: Pick<Message, 'facts' | 'line' | 'sentence'>): Pick<Message, 'line' | 'sentence'> {
  const own = facts.flatMap(({ name, value }) => (name === null ? [value] : []))
  return { sentence: [sentence, ...own].join(' '), line: [line, ...own].join(' ') }
}

/** To the page of what the entry is about, with all of the entry marked. */
function linksOf({ events: [first], id, resource }: NetEntry, render: RenderMessage): readonly EventLink[] {
  const about = alteredEvent(first, { subject: { ...first.subject, resource, id } })
  return render(about).links ?? []
}

/** How much an entry says: as one text of at most so many characters. */
export function entryLine({ lines, name }: ToldEntry, { terms }: Wording, most: number): string {
  const text = lines.join(' ')
  return cut(name === null ? text : `${name}${terms.colon}${text}`, most)
}
