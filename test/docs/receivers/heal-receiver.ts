import { expect, it } from 'vitest'
import type { ShipbellEvent } from '../../../src/model/event.ts'
import { textField, type Json, type JsonObject } from '../../../src/model/json.ts'
import { sampleEvent } from '../../deliver/sample-event.ts'
import { Desk, TOKEN as TOKEN_OF_ALL } from '../../serve/desk.ts'
import { ring } from '../../store/samples.ts'
import { FeedServer, type FeedItem } from './feed-server.ts'
import { guideOf, type Guide, type Language } from './guide.ts'
import { end, ERP_SECRETS, eventOf, lineOf, payloadOf, postSigned } from './messages.ts'
import { RunningReceiver } from './running-receiver.ts'

/** What is healed with the answers of the daemon itself. */
export function healFromDaemon(language: Language): void {
  const guide = guideOf(language)
  if (guide.missing !== null) return it.skip(`a daemon, which takes ${guide.missing}`)
  it(`the receiver of docs/how-to/receive/${language}.md heals from a daemon`, async () => await healsFromDaemon(guide))
}

/** More than a page of the feed has. */
const MANY = 210

const NARROW = 'narrow-token-0123456789'

/** What the daemon itself answers to a token that sees this subscription alone. */
async function healsFromDaemon(guide: Guide): Promise<void> {
  const desk = await Desk.open(`token: ${TOKEN_OF_ALL}, tokens: { catch-up: { token: ${NARROW}, subscription: erp } }`)
  using receiver = await RunningReceiver.start(guide, { ERP_SECRETS, SHIPBELL_URL: desk.url, SHIPBELL_TOKEN: NARROW })
  const events = Array.from({ length: 4 }, (_, nth) => eventOf(`SHP-FED-${nth}`))
  await ring(desk.store, events, ['erp'])
  const url = `${desk.url}/api/v1/subscriptions/erp/feed?after=1&limit=1`
  const asked = await fetch(url, { headers: { authorization: `Bearer ${NARROW}` } })
  const answer: Json = JSON.parse(await asked.text())
  const series = textField(answer, 'series') ?? ''
  expect(answer).toMatchObject({ first: 1, head: 4, next: 2, items: [{ position: 2, payload: { id: events[1]?.id } }] })
  const delivery = { subscription: 'erp', series, position: 2 }
  await postSigned(receiver, { ...payloadOf(events[1]), delivery })
  await postSigned(receiver, watermarkAt(series, 4, 1))
  for (const event of events) await receiver.handles(lineOf(event))
  expect(receiver.handled.length).toBe(events.length)
}

const TOKEN = 'a token of this subscription alone'

/** Positions of one series, and of the next. */
export async function heals(guide: Guide): Promise<void> {
  await using feed = await FeedServer.start(TOKEN)
  const variables = { ERP_SECRETS, SHIPBELL_URL: `${feed.url}/`, SHIPBELL_TOKEN: TOKEN }
  using receiver = await RunningReceiver.start(guide, variables)
  const items = (from: number, to: number): readonly FeedItem[] =>
    Array.from({ length: to - from + 1 }, (_, nth) => itemAt(feed.series, from + nth))
  const posts = async (...positions: readonly number[]): Promise<void> => {
    for (const position of positions) await postSigned(receiver, payloadAt(feed.series, position))
  }

  feed.items = items(1, MANY).map((item) =>
    item.position === 3 ? { ...item, state: 'discarded', payload: null } : item,
  )
  feed.isDown = 1
  // A feed that this token does not see holds up no other.
  await postSigned(receiver, { ...watermarkAt('p0', 9, 1), subject: { ...SUBSCRIPTION, id: 'another' } })
  await posts(1, 2, 5, 7)
  await postSigned(receiver, watermarkAt(feed.series, 6, 1))
  await receiver.handles(lineAt(feed.series, 4))
  await receiver.handles(lineAt(feed.series, 6))
  expect(feed.asked).toEqual(['?after=2&limit=2', '?after=5&limit=1'])

  // What was lost spans pages, over a crash.
  receiver.stop()
  await receiver.start(variables)
  await postSigned(receiver, watermarkAt(feed.series, MANY, 2))
  await receiver.handles(lineAt(feed.series, MANY))
  expect(receiver.handled.toSorted()).toEqual(
    items(1, MANY)
      .filter(({ position }) => position !== 3)
      .map(({ position }) => lineAt(feed.series, position))
      .toSorted(),
  )

  // Positions begin anew. A straggler of the former series undoes nothing; what expired is told of.
  feed.series = 'a restored one'
  feed.items = [{ ...itemAt(feed.series, 1), state: 'delivered', payload: null }, ...items(2, 2), ...items(5, 6)]
  await postSigned(receiver, watermarkAt(feed.series, 2, 4))
  await postSigned(receiver, watermarkAt('k3v9', 500, 3))
  await receiver.handles(lineAt(feed.series, 2))
  await receiver.complains(`too late for ${eventAt(feed.series, 1).id}`)

  // What the feed leaves out is gone, between what it has, too.
  feed.items = [...items(2, 2), ...items(5, 6)]
  await postSigned(receiver, watermarkAt(feed.series, 6, 5))
  await receiver.handles(lineAt(feed.series, 6))
  const { length } = feed.asked
  await end(receiver)
  await end(receiver)
  expect(feed.asked.length).toBe(length)
}

function eventAt(series: string, position: number): ShipbellEvent {
  return eventOf(`SHP-${Buffer.from(series).toString('hex')}-${position}`)
}

function lineAt(series: string, position: number): string {
  return lineOf(eventAt(series, position))
}

function payloadAt(series: string, position: number): JsonObject & { readonly id: string } {
  return { ...payloadOf(eventAt(series, position)), delivery: { subscription: 'erp', series, position } }
}

function itemAt(series: string, position: number): FeedItem {
  return { position, event_id: eventAt(series, position).id, state: 'delivered', payload: payloadAt(series, position) }
}

const SUBSCRIPTION = { resource: 'subscription', id: 'erp', version: 0, previous_event_id: null }

/** A watermark of the minute `nth`. */
function watermarkAt(series: string, through: number, nth: number): JsonObject & { readonly id: string } {
  return {
    id: `wm_${nth}`,
    type: 'shipbell.watermark',
    timestamp: new Date(sampleEvent().timestamp + nth * 60_000).toISOString(),
    account: null,
    sequence: null,
    subject: SUBSCRIPTION,
    observed: null,
    cause: 'watermark',
    data: { series, position: through + 3, complete_through: through, resources: [] },
  }
}
