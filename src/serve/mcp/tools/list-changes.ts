import { z } from '@hono/zod-openapi'
import { ShipbellError } from '../../../errors.ts'
import { formatInstant } from '../../../model/instant.ts'
import { textField, type JsonObject } from '../../../model/json.ts'
import { readPointInTime } from '../../../model/point-in-time.ts'
import { isRecordResource } from '../../../model/resource.ts'
import { recordPath } from '../../pages/parts/address.ts'
import { viewer } from '../../pages/parts/viewer.ts'
import { wordText } from '../../pages/parts/words.ts'
import { type Changed, withRecords } from '../../pages/today/changes.ts'
import { type Answer, fitting } from '../answer.ts'
import { type ChangesPlace, type ChangesWindow, readPlace, readWindow, writePlace } from '../changes-window.ts'
import { dataLine } from '../data-block.ts'
import { cursor, fields, instantText, next, text, textOrNull, url, urlOf, whole } from '../parts.ts'
import { tool } from '../tool.ts'
import type { ToolDesk } from '../tool-desk.ts'

const changed = fields({
  account: textOrNull,
  resource: text,
  id: text,
  name: textOrNull,
  severity: text,
  changes: z.array(fields({ text, event_id: textOrNull.describe('What explain_event explains.') })),
  changes_left_out: whole,
  last_event_at: text,
  url,
})

export const listChanges = tool({
  name: 'list_changes',
  title: 'What changed',
  description:
    'Lists what changed since a moment, net: each shipment once with all that belongs to it, each date once from the value it had then to the newest, the gravest first; what came back to what it was is left out. Where very much rang, older changes follow on later pages, summed up by themselves.',
  input: z.strictObject({
    since: z
      .string()
      .max(100)
      .describe('An ISO date-time, a date, or a duration ago: 2026-11-21T08:00:00Z, 2026-11-21, 24h, 7d.'),
    cursor,
  }),
  output: fields({
    since: text,
    items: z.array(changed),
    returned: whole.describe('How many records changed and came back.'),
    next,
  }),
  answer: async ({ cursor: written, since }, desk, goOn) => {
    const place = written === undefined ? begin(since, desk) : readPlace(written)
    const window = await readWindow(desk.store, place, goOn)
    return await fitting(async (most) => {
      await goOn()
      const shown = await withRecords(window.entries.slice(place.shown, place.shown + most), desk.store)
      return answerOf({ place, shown, window }, desk)
    })
  },
})

/** Throws `usage`. */
function begin(since: string, { clock }: ToolDesk): ChangesPlace {
  const at = readPointInTime(since, clock.now(), viewer().timeZone)
  if (at === null)
    throw new ShipbellError(
      'usage',
      `since ${JSON.stringify(since)} is not a time: give an ISO date-time, a date or a duration ago, such as 24h or 7d.`,
    )
  return { since: at, end: null, from: null, shown: 0 }
}

interface Shown {
  readonly place: ChangesPlace
  readonly shown: readonly Changed[]
  readonly window: ChangesWindow
}

function answerOf({ place, shown, window }: Shown, desk: ToolDesk): Answer {
  const { entries, returned } = window
  const isFirst = place.shown === 0
  return {
    lead: [
      entries.length === 0
        ? `Nothing changed since ${instantText(place.since)}.`
        : `Changed since ${instantText(place.since)}: ${entries.length}; below are ${shown.length}.`,
      ...(returned > 0 && isFirst ? [`Changed and came back to what was before: ${returned}.`] : []),
      ...(window.next === null ? [] : ['More rang than is summed up at once: older changes follow on later pages.']),
    ],
    data: shown.map((each) => changedLine(each, desk)),
    structured: {
      since: formatInstant(place.since),
      items: shown.map((each) => changedJson(each, desk)),
      returned: isFirst ? returned : 0,
    },
    next: following(place, shown.length, window),
  }
}

function following(place: ChangesPlace, amount: number, { end, entries, next: older }: ChangesWindow): string | null {
  const shown = place.shown + amount
  if (shown < entries.length) return writePlace({ ...place, end, shown })
  return older === null ? null : writePlace({ ...place, end, from: older, shown: 0 })
}

function changedLine({ entry, lines, shipment, unsaid }: Changed, desk: ToolDesk): string {
  const { account, id, resource } = entry
  return dataLine(
    `${wordText(resource)} ${id}`,
    nameOf({ entry, shipment }),
    ...lines.map((line) => line.text),
    unsaid === 0 ? null : `and ${unsaid} more`,
    account === null ? null : `account ${account}`,
    pageOf(entry, desk),
  )
}

function changedJson({ entry, lines, shipment, unsaid }: Changed, desk: ToolDesk): JsonObject {
  const { account, events, id, resource, tone } = entry
  const newest = events.at(-1) ?? events[0]
  return {
    account,
    resource,
    id,
    name: nameOf({ entry, shipment }),
    severity: tone,
    changes: lines.map(({ change, text: said }) => ({ text: said, event_id: change?.events.at(-1)?.id ?? null })),
    changes_left_out: unsaid,
    last_event_at: formatInstant(newest.timestamp),
    url: pageOf(entry, desk),
  }
}

function nameOf({ entry, shipment }: Pick<Changed, 'entry' | 'shipment'>): string | null {
  return shipment === null ? entry.name : textField(shipment, 'name')
}

function pageOf({ account, id, resource }: Changed['entry'], desk: ToolDesk): string | null {
  return account === null || !isRecordResource(resource) ? null : urlOf(desk, recordPath({ account, resource, id }))
}
