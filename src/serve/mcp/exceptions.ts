import { exceptionState, type KeptException } from '../../model/exception.ts'
import { textField, type JsonObject } from '../../model/json.ts'
import { desiredDay } from '../../model/order-fate.ts'
import { outlineOf } from '../../model/record-outline.ts'
import type { RecordState } from '../../model/record-state.ts'
import { isRecordResource } from '../../model/resource.ts'
import { trackingDate } from '../../model/shipment.ts'
import { exceptionJson } from '../../report/exception.ts'
import { recordPath } from '../pages/parts/address.ts'
import { wordText } from '../pages/parts/words.ts'
import { dataLine } from './data-block.ts'
import { dateText, fields, instantOrNull, instantText, text, textOrNull, url, urlOf } from './parts.ts'
import { told, toldJson, toldOf, toldText, type Told } from './told.ts'
import type { ToolDesk } from './tool-desk.ts'

/** What is not well, as tools show it. */
export const exception = fields({
  id: text,
  account: text,
  type: text.describe('The type of the event that opened it.'),
  subject: fields({ resource: text, id: text }),
  name: textOrNull.describe('What people call the record.'),
  expected: textOrNull.describe('Of a delivery at risk: when it is expected now.'),
  desired: textOrNull.describe('Of a delivery at risk: the day on which it is desired.'),
  milestone: textOrNull,
  expectation: textOrNull,
  severity: text,
  state: text.describe('open, acknowledged or closed.'),
  opened_at: text,
  event_id: textOrNull,
  acknowledged: fields({ by: text, at: text, note: textOrNull, until: instantOrNull }).nullable(),
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
  readonly risk: Risk
  readonly told: readonly Told[]
}

/** What a delivery at risk is late by; empty of anything else. */
interface Risk {
  /** The date as the platform sent it. */
  readonly expected: string | null
  readonly desired: string | null
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
      const known = isRecordResource(resource) ? await store.records(account, resource, [subjectId]) : null
      const state = known?.get(subjectId) ?? null
      return {
        exception: each,
        name: isRecordResource(resource) ? outlineOf(resource, state?.seen ?? null).name : null,
        risk: riskOf(each, state),
        told: await toldOf(store, eventId),
      }
    }),
  )
}

function riskOf({ resource, type }: KeptException, state: RecordState | null): Risk {
  const seen = state?.seen ?? null
  if (seen === null || !type.endsWith('.delivery_at_risk')) return { expected: null, desired: null }
  const delivery = trackingDate(seen, 'delivery')?.raw
  const expected = resource === 'shipment' ? textField(delivery, 'date') : state?.memory.fate?.expected?.date
  return { expected: expected ?? null, desired: desiredDay(seen) }
}

export function exceptionItem({ exception: each, name, risk, told: all }: ShownException, desk: ToolDesk): JsonObject {
  const shown = exceptionJson(each, desk.clock.now())
  return { ...shown, name, ...risk, told: toldJson(all), url: urlOf(desk, pathOf(each)) }
}

export function openExceptionItem(shown: ShownException, desk: ToolDesk): JsonObject {
  const item = exceptionItem(shown, desk)
  return Object.fromEntries(Object.entries(item).filter(([name]) => name in openException.shape))
}

export function exceptionLine({ exception: each, name, risk, told: all }: ShownException, desk: ToolDesk): string {
  const { account, acknowledged, expectation, id, milestone, openedAt, resource, severity, subjectId, type } = each
  const state = exceptionState(each, desk.clock.now())
  return dataLine(
    `${severity}: ${type}`,
    milestone || expectation,
    `${wordText(resource)} ${subjectId}`,
    name,
    risk.expected === null ? null : `expected ${dateText(risk.expected)}`,
    risk.desired === null ? null : `desired ${dateText(risk.desired)}`,
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
