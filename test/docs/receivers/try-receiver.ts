import { generateKeyPairSync } from 'node:crypto'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { triggerCommand } from '../../../src/cli/trigger.ts'
import { systemClock } from '../../../src/clock.ts'
import { sign } from '../../../src/events/index.js'
import type { ShipbellEvent } from '../../../src/model/event.ts'
import { textField, type Json, type JsonObject } from '../../../src/model/json.ts'
import { payloadBody } from '../../../src/model/payload.ts'
import { runCommand } from '../../cli/run-command.ts'
import { sampleEvent } from '../../deliver/sample-event.ts'
import { Desk, VIEWER } from '../../serve/desk.ts'
import { ring } from '../../store/samples.ts'
import { ShiftedClock } from '../../support/shifted-clock.ts'
import { FeedServer, type FeedItem } from './feed-server.ts'
import { guideOf, type Guide, type Language } from './guide.ts'
import { alteringProxy, post, type Message } from './post.ts'
import { RunningReceiver } from './running-receiver.ts'

const [OLD, NEW, OTHER] = [secretOf(1), secretOf(2), secretOf(3)]
const { key: KEY, publicKey: PUBLIC_KEY } = keyPair()
/** What the receivers verify with. */
const ERP_SECRETS = `${OLD} ${NEW} ${PUBLIC_KEY}`

/** What every program of docs/how-to/receive/ does. */
export function tryReceiver(language: Language): void {
  const guide = guideOf(language)
  const title = `the receiver of docs/how-to/receive/${language}.md`
  if (guide.missing !== null) return it.skip(`${title}, which takes ${guide.missing}`)
  // They wait for a program that looks for its work once a second.
  describe(title, { concurrent: true }, () => {
    describe('one after the other', { concurrent: false }, () => {
      let receiver: RunningReceiver
      beforeAll(async () => {
        receiver = await RunningReceiver.start(guide, { ERP_SECRETS })
      })
      afterAll(() => receiver[Symbol.dispose]())

      it('takes samples, as often as they are sent', async () => await takesSamples(receiver))
      it('takes what any of its secrets signed', async () => await takesRotated(receiver))
      it('takes text beyond ASCII, 250 kB and types of the future', async () => await takesAnyEvent(receiver))
      it('handles an event once, and nothing older than what came before', async () => await dropsOld(receiver))
      it('refuses what was altered, is too old or is signed by others', async () => await refuses(receiver))
      it('knows after a crash what it has had', async () => await survives(receiver))
    })
    it('heals what its watermark shows missing', async () => await heals(guide))
  })
}

/** What is healed with the answers of the daemon itself. */
export function healFromDaemon(language: Language): void {
  const guide = guideOf(language)
  if (guide.missing !== null) return it.skip(`a daemon, which takes ${guide.missing}`)
  it(`the receiver of docs/how-to/receive/${language}.md heals from a daemon`, async () => await healsFromDaemon(guide))
}

async function takesSamples(receiver: RunningReceiver): Promise<void> {
  // What goes with the test that runs cannot be told apart where others run beside it.
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'shipbell-'))
  const { path: cwd } = folder
  for (const secret of [OLD, KEY, KEY]) {
    const args = ['shipment.eta_changed', '--to', receiver.url, '--secret', secret]
    const { exitCode, stdout } = await runCommand(triggerCommand, args, { cwd, clock: systemClock })
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('delivered, answered 204')])
  }
  await end(receiver)
  expect(linesOf(receiver, 'SHP-1')).toEqual(Array(3).fill('shipment.eta_changed SHP-1 2'))
}

async function takesRotated(receiver: RunningReceiver): Promise<void> {
  const signedBy = [[OLD], [NEW], [OTHER, NEW], [OTHER, KEY]]
  const events = signedBy.map((_, nth) => eventOf('SHP-ROTATED', nth + 1))
  for (const [nth, event] of events.entries())
    expect(await post(receiver.url, event, { secrets: signedBy[nth] ?? [] })).toBe(204)
  await end(receiver)
  expect(linesOf(receiver, 'SHP-ROTATED')).toEqual(events.map(lineOf))
}

async function takesAnyEvent(receiver: RunningReceiver): Promise<void> {
  const [small, large, unknown] = [eventOf('Größe-釜山-🚢'), eventOf('SHP-LARGE'), eventOf('SHP-UNKNOWN')]
  const object = { ...large.object, specific_instructions: 'ä'.repeat(120_000) }
  expect(await post(receiver.url, small, { secrets: [NEW] })).toBe(204)
  expect(await post(receiver.url, { ...large, object }, { secrets: [NEW] })).toBe(204)
  const body = payloadBody(unknown).replace(`"${unknown.type}"`, '"shipment.teleported"')
  const headers = await sign(NEW, { id: unknown.id, timestamp: systemClock.now() / 1_000, body })
  expect((await fetch(receiver.url, { method: 'POST', headers: { ...headers }, body })).status).toBe(204)
  await end(receiver)
  expect(receiver.handled).toEqual(expect.arrayContaining([lineOf(small), lineOf(large)]))
  expect(linesOf(receiver, 'SHP-UNKNOWN')).toEqual(['shipment.teleported SHP-UNKNOWN 1'])
}

async function dropsOld(receiver: RunningReceiver): Promise<void> {
  const [first, second, third, fourth] = versionsOf('SHP-OLD')
  const another = { ...first, id: 'evt_another', account: 'globex' }
  for (const event of [second, second, first, fourth, third, fourth, another])
    expect(await post(receiver.url, event, { secrets: [NEW] })).toBe(204)
  await end(receiver)
  expect(linesOf(receiver, 'SHP-OLD')).toEqual([second, fourth, another].map(lineOf))
}

const ALTERED: Readonly<Record<string, (message: Message) => Message>> = {
  body: ({ headers, body }) => ({ headers, body: Buffer.concat([body, Buffer.from(' ')]) }),
  id: having('webhook-id', 'evt_2'),
  'no id': having('webhook-id', null),
  'no timestamp': having('webhook-timestamp', null),
  'no signature': having('webhook-signature', null),
  'timestamp that is no number': having('webhook-timestamp', '1e9'),
  'signature that is none': having('webhook-signature', 'v1'),
  'signature that is no base64': having('webhook-signature', 'v1,ä% v1a,ä% v1a,AAAA v2,x ,'),
  'many signatures': having('webhook-signature', 'v1,AAAA '.repeat(500)),
  'empty body': ({ headers }) => ({ headers, body: Buffer.alloc(0) }),
}

async function refuses(receiver: RunningReceiver): Promise<void> {
  const event = eventOf('SHP-REFUSED')
  for (const [what, alter] of Object.entries(ALTERED)) {
    await using proxy = await alteringProxy(receiver.url, alter)
    expect([what, await post(proxy.url, event, { secrets: [NEW, KEY] })]).toEqual([what, 401])
  }
  expect(await post(receiver.url, event, { secrets: [OTHER, keyPair().key] })).toBe(401)
  for (const minutes of [-6, 6]) {
    const clock = new ShiftedClock(systemClock.now() + minutes * 60_000)
    expect(await post(receiver.url, event, { secrets: [NEW, KEY], clock })).toBe(401)
  }
  const huge = { method: 'POST', body: Buffer.alloc(1_100_000) }
  expect(
    await fetch(receiver.url, huge).then(
      ({ status }) => status,
      () => 413,
    ),
  ).toBe(413)
  await end(receiver)
  expect(linesOf(receiver, 'SHP-REFUSED')).toEqual([])
}

async function survives(receiver: RunningReceiver): Promise<void> {
  const [first, second, third] = versionsOf('SHP-CRASH')
  await post(receiver.url, second, { secrets: [NEW] })
  await end(receiver)
  receiver.stop()
  await receiver.start({ ERP_SECRETS })
  for (const event of [second, first, third]) expect(await post(receiver.url, event, { secrets: [NEW] })).toBe(204)
  await end(receiver)
  expect(linesOf(receiver, 'SHP-CRASH')).toEqual([second, third].map(lineOf))
}

/** More than a page of the feed has. */
const MANY = 210

/** What the daemon itself answers. */
async function healsFromDaemon(guide: Guide): Promise<void> {
  const desk = await Desk.open()
  using receiver = await RunningReceiver.start(guide, { ERP_SECRETS, SHIPBELL_URL: desk.url, SHIPBELL_TOKEN: VIEWER })
  const events = Array.from({ length: 4 }, (_, nth) => eventOf(`SHP-FED-${nth}`))
  await ring(desk.store, events, ['erp'])
  const url = `${desk.url}/api/v1/subscriptions/erp/feed?after=1&limit=1`
  const asked = await fetch(url, { headers: { authorization: `Bearer ${VIEWER}` } })
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
async function heals(guide: Guide): Promise<void> {
  await using feed = await FeedServer.start(TOKEN)
  const variables = { ERP_SECRETS, SHIPBELL_URL: feed.url, SHIPBELL_TOKEN: TOKEN }
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

function payloadOf(event = eventOf('SHP-ANY')): JsonObject & { readonly id: string } {
  const payload: JsonObject = JSON.parse(payloadBody(event))
  return { ...payload, id: event.id }
}

function itemAt(series: string, position: number): FeedItem {
  return { position, event_id: eventAt(series, position).id, state: 'delivered', payload: payloadAt(series, position) }
}

/** A watermark of the minute `nth`. */
function watermarkAt(series: string, through: number, nth: number): JsonObject & { readonly id: string } {
  return {
    id: `wm_${nth}`,
    type: 'shipbell.watermark',
    timestamp: new Date(sampleEvent().timestamp + nth * 60_000).toISOString(),
    account: null,
    sequence: null,
    subject: { resource: 'subscription', id: 'erp', version: 0, previous_event_id: null },
    observed: null,
    cause: 'watermark',
    data: { series, position: through + 3, complete_through: through, resources: [] },
  }
}

async function postSigned(receiver: RunningReceiver, payload: JsonObject & { readonly id: string }): Promise<void> {
  const body = JSON.stringify(payload)
  const headers = await sign(NEW, { id: payload.id, timestamp: systemClock.now() / 1_000, body })
  expect((await fetch(receiver.url, { method: 'POST', headers: { ...headers }, body })).status).toBe(204)
}

/** Resolves once everything that was posted before is handled, and noted as such. */
async function end(receiver: RunningReceiver): Promise<void> {
  const last = eventOf(`SHP-END-${receiver.handled.length}`)
  expect(await post(receiver.url, last, { secrets: [NEW] })).toBe(204)
  await receiver.handles(lineOf(last))
}

/** An event of a shipment. */
function eventOf(id: string, version = 1): ShipbellEvent {
  const idOf = (nth: number): string => `evt_${Buffer.from(id).toString('hex')}${nth}`
  const subject = {
    resource: 'shipment',
    id,
    version,
    previousEventId: version === 1 ? null : idOf(version - 1),
  } as const
  return sampleEvent({ id: idOf(version), subject, timestamp: sampleEvent().timestamp + version })
}

function versionsOf(id: string) {
  return [eventOf(id, 1), eventOf(id, 2), eventOf(id, 3), eventOf(id, 4)] as const
}

function lineOf({ type, subject }: ShipbellEvent): string {
  return `${type} ${subject.id} ${subject.version}`
}

function linesOf(receiver: RunningReceiver, shipment: string): readonly string[] {
  return receiver.handled.filter((line) => line.split(' ')[1] === shipment)
}

function having(name: string, value: string | null): (message: Message) => Message {
  return ({ headers, body }) => ({ headers: { ...headers, [name]: value }, body })
}

function secretOf(byte: number): string {
  return `whsec_${Buffer.alloc(32, byte).toString('base64')}`
}

function keyPair(): { readonly key: string; readonly publicKey: string } {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const [seed, half] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  return {
    key: `whsk_${Buffer.concat([seed, half]).toString('base64')}`,
    publicKey: `whpk_${half.toString('base64')}`,
  }
}
