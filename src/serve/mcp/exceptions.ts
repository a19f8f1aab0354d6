import { z } from '@hono/zod-openapi'
import { exceptionState, type KeptException } from '../../model/exception.ts'
import { textField, type JsonObject } from '../../model/json.ts'
import { isRecordResource } from '../../model/resource.ts'
import { exceptionJson } from '../../report/exception.ts'
import { recordPath } from '../pages/parts/address.ts'
import { wordText } from '../pages/parts/words.ts'
import { dataLine } from './data-block.ts'
import { instantOrNull, instantText, text, textOrNull, url, urlOf } from './parts.ts'
import { told, toldJson, toldOf, toldText, type Told } from './told.ts'
import type { ToolDesk } from './tool-desk.ts'

/** What is not well, as tools show it. */
export const exception = z.object({
  id: text,
  account: text,
  type: text.describe('The type of the event that opened it.'),
  subject: z.object({ resource: text, id: text }),
  name: textOrNull.describe('What people call the record.'),
  milestone: textOrNull,
  expectation: textOrNull,
  severity: text,
  state: text.describe('open, acknowledged or closed.'),
  opened_at: text,
  event_id: textOrNull,
  acknowledged: z.object({ by: text, at: text, note: textOrNull, until: instantOrNull }).nullable(),
  closed_at: instantOrNull,
  closed_by: textOrNull,
  told,
  url,
})

/** What is not well of a record that is told whole. */
export const openException = exception.pick({
  id: true,
  type: true,
  milestone: true,
  expectation: true,
  severity: true,
  state: true,
  opened_at: true,
  event_id: true,
  told: true,
})

/** An exception, with what is asked of it beside. */
export interface ShownException {
  readonly exception: KeptException
  readonly name: string | null
  readonly told: readonly Told[]
}

/** How many exceptions of one record are shown. */
const MOST_OF_ONE = 5

/** What is open of one record, the one that was opened last first. */
export async function exceptionsOf(
  desk: ToolDesk,
  { account, id, resource }: { readonly account: string; readonly id: string; readonly resource: string },
): Promise<readonly ShownException[]> {
  const states = ['open', 'acknowledged'] as const
  const page = await desk.store.exceptionPage({
    now: desk.clock.now(),
    account,
    subjectId: id,
    states,
    limit: MOST_OF_ONE,
  })
  return await shownExceptions(
    page.items.filter((each) => each.resource === resource),
    desk,
  )
}

export async function shownExceptions(
  exceptions: readonly KeptException[],
  { store }: ToolDesk,
): Promise<readonly ShownException[]> {
  return await Promise.all(
    exceptions.map(async (each) => {
      const { account, eventId, resource, subjectId } = each
      const known = isRecordResource(resource) ? await store.records(account, resource, [subjectId]) : new Map()
      const seen: JsonObject | null = known.get(subjectId)?.seen ?? null
      return { exception: each, name: seen && textField(seen, 'name'), told: await toldOf(store, eventId) }
    }),
  )
}

export function exceptionItem({ exception: each, name, told: all }: ShownException, desk: ToolDesk): JsonObject {
  return { ...exceptionJson(each, desk.clock.now()), name, told: toldJson(all), url: urlOf(desk, pathOf(each)) }
}

export function openExceptionItem(shown: ShownException, desk: ToolDesk): JsonObject {
  const item = exceptionItem(shown, desk)
  return Object.fromEntries(Object.entries(item).filter(([name]) => name in openException.shape))
}

export function exceptionLine({ exception: each, name, told: all }: ShownException, desk: ToolDesk): string {
  const { account, acknowledged, expectation, id, milestone, openedAt, resource, severity, subjectId, type } = each
  const state = exceptionState(each, desk.clock.now())
  return dataLine(
    `${severity}: ${type}`,
    milestone || expectation,
    `${wordText(resource)} ${subjectId}`,
    name,
    `account ${account}`,
    `open since ${instantText(openedAt)}`,
    toldText(all),
    state === 'open' ? null : `${state} by ${acknowledged?.by ?? ''}`,
    acknowledged?.note,
    id,
    urlOf(desk, pathOf(each)),
  )
}

function pathOf({ account, resource, subjectId }: KeptException): string {
  return isRecordResource(resource) ? recordPath({ account, resource, id: subjectId }) : '/'
}
