import { z } from '@hono/zod-openapi'
import { ShipbellError } from '../../../errors.ts'
import { sentenceOf } from '../../../message/message.ts'
import type { Change, LoggedEvent } from '../../../model/event.ts'
import { formatInstant } from '../../../model/instant.ts'
import type { Json, JsonObject } from '../../../model/json.ts'
import { fullPayload } from '../../../model/payload.ts'
import type { TracedDelivery } from '../../../report/delivery.ts'
import { droppedWords } from '../../../report/dropped-words.ts'
import { type EventTrace, eventTrace } from '../../../report/event-story.ts'
import { howKnown, whyThen } from '../../../report/provenance-words.ts'
import { observedWords, whyWords } from '../../../report/story-words.ts'
import { eventPath } from '../../pages/parts/address.ts'
import { wording } from '../../pages/parts/time.ts'
import { type Answer, fitting } from '../answer.ts'
import { asData, dataLine } from '../data-block.ts'
import { fields, instantOrNull, instantText, text, textOrNull, url, urlOf, whole, wholeOrNull } from '../parts.ts'
import { tool } from '../tool.ts'
import type { ToolDesk } from '../tool-desk.ts'

const delivery = fields({
  id: text,
  subscription: text,
  state: text,
  attempts: whole,
  next_attempt_at: instantOrNull,
  last_status: wholeOrNull,
  last_error: textOrNull,
})

export const explainEvent = tool({
  name: 'explain_event',
  title: 'Explain an event',
  description:
    'Explains why an event rang: what changed from which value to which, between which reads that happened, by which rule, and what became of it for each subscription, with the error of a delivery that failed.',
  input: z.strictObject({
    id: z
      .string()
      .min(1)
      .max(200)
      .describe('The id of the event (evt_…), the beginning of one, or # and its sequence.'),
  }),
  output: fields({
    id: text,
    type: text,
    account: textOrNull,
    subject: fields({ resource: text, id: text }),
    rang_at: text,
    sentence: textOrNull.describe('What happened; null: the payload has expired.'),
    changes: z.array(fields({ path: text, from: text, to: text })),
    changes_left_out: whole,
    why: z.array(text),
    previous_event_id: textOrNull,
    next_event_id: textOrNull,
    deliveries: z.array(delivery),
    deliveries_left_out: whole,
    url,
  }),
  answer: async ({ id: named }, desk) => {
    const trace = await requireTrace(named, desk)
    return await fitting(async (most) => answerOf(trace, most, desk))
  },
})

/** Enough to see how they differ. */
const MOST_NAMED = 5

/** Throws `not_found`, and `usage` where several events are meant. */
async function requireTrace(named: string, { store }: ToolDesk): Promise<EventTrace> {
  const ids = await store.eventsNamed(named, { limit: MOST_NAMED + 1 })
  const [id] = ids
  if (ids.length > 1) {
    const some = `${ids.slice(0, MOST_NAMED).join(', ')}${ids.length > MOST_NAMED ? ' …' : ''}`
    throw new ShipbellError(
      'usage',
      `${JSON.stringify(named)} names several events: ${some}; give the whole id of one.`,
    )
  }
  const trace = id === undefined ? null : await eventTrace(store, id)
  if (trace !== null) return trace
  const dropped = await droppedWords(store)
  throw new ShipbellError(
    'not_found',
    `There is no event ${JSON.stringify(named)}${dropped}: list_changes and get_shipment give ids of events.`,
  )
}

function answerOf(trace: EventTrace, most: number, desk: ToolDesk): Answer {
  const { deliveries, story } = trace
  const { event, next, previous } = story
  const [changes, shown] = [event.changes ?? [], deliveries.slice(0, most)]
  const sentence = event.expiredAt === null ? sentenceOf(fullPayload(event), wording()) : null
  const why = [...whyWords(story), ...readWords(trace)]
  return {
    lead: [
      `An event of type ${event.type}, which rang at ${instantText(event.timestamp)}.`,
      ...(sentence === null ? ['What it told has expired.'] : []),
      deliveries.length === 0 ? 'No subscription hears it.' : `Subscriptions that hear it: ${deliveries.length}.`,
    ],
    data: [
      dataLine(
        sentence,
        event.id,
        event.account === null ? null : `account ${event.account}`,
        urlOf(desk, eventPath(event.id)),
      ),
      ...changes.slice(0, most).map(({ from, path, to }) => dataLine(path, `${valueText(from)} → ${valueText(to)}`)),
      ...why.map((each) => dataLine(each)),
      ...shown.map(deliveryLine),
    ],
    structured: {
      ...eventJson(event),
      sentence,
      changes: changes.slice(0, most).map(changeJson),
      changes_left_out: Math.max(changes.length - most, 0),
      why,
      previous_event_id: previous?.id ?? null,
      next_event_id: next?.id ?? null,
      deliveries: shown.map(deliveryJson),
      deliveries_left_out: deliveries.length - shown.length,
      url: urlOf(desk, eventPath(event.id)),
    },
  }
}

function readWords({ story }: EventTrace): readonly string[] {
  const { provenance } = story
  const known = provenance === null ? [] : howKnown(provenance).map((said) => said.replace(/:$/, '.'))
  const then = provenance === null ? null : whyThen(provenance)
  return [...known, ...(then === null ? [] : [then]), ...observedWords(story)]
}

function eventJson({ account, id, subject: { id: of, resource }, timestamp, type }: LoggedEvent): JsonObject {
  return { id, type, account, subject: { resource, id: of }, rang_at: formatInstant(timestamp) }
}

function changeJson({ from, path, to }: Change): JsonObject {
  return { path, from: valueText(from), to: valueText(to) }
}

/** A value of a record, whatever it is, as a text. */
function valueText(value: Json): string {
  return value === null ? '–' : asData(typeof value === 'string' ? value : JSON.stringify(value), 120)
}

function deliveryJson({ delivery: row }: TracedDelivery): JsonObject {
  return {
    id: row.id,
    subscription: row.subscription,
    state: row.state,
    attempts: row.attempts,
    next_attempt_at: row.nextAttemptAt === null ? null : formatInstant(row.nextAttemptAt),
    last_status: row.lastStatus,
    last_error: row.lastError,
  }
}

function deliveryLine({
  delivery: { attempts, id, lastError, lastStatus, nextAttemptAt, state, subscription },
}: TracedDelivery): string {
  return dataLine(
    `subscription ${subscription}: ${state}`,
    attempts === 1 ? 'one attempt' : `${attempts} attempts`,
    state === 'delivered' ? null : lastError,
    lastStatus === null ? null : `status ${lastStatus}`,
    nextAttemptAt === null ? null : `next attempt ${instantText(nextAttemptAt)}`,
    id,
  )
}
