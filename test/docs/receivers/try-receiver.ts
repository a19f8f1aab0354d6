import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { triggerCommand } from '../../../src/cli/trigger.ts'
import { systemClock } from '../../../src/clock.ts'
import { sign } from '../../../src/events/index.js'
import { payloadBody } from '../../../src/model/payload.ts'
import { runCommand } from '../../cli/run-command.ts'
import { ShiftedClock } from '../../support/shifted-clock.ts'
import { failing, FAILS, guideOf, type Guide, type Language } from './guide.ts'
import { heals } from './heal-receiver.ts'
import {
  end,
  ERP_SECRETS,
  eventOf,
  KEY,
  keyPair,
  lineOf,
  linesOf,
  NEW,
  OLD,
  OTHER,
  payloadOf,
  postSigned,
  versionsOf,
} from './messages.ts'
import { alteringProxy, post, type Message } from './post.ts'
import { RunningReceiver } from './running-receiver.ts'

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
      it('keeps of equal versions what stands last, and begins anew with a series', async () =>
        await dropsByPlace(receiver))
      it('refuses what was altered, is too old or is signed by others', async () => await refuses(receiver))
      it('knows after a crash what it has had', async () => await survives(receiver))
    })
    it('goes on with others while it fails with a hundred', async () => await goesOn(guide))
    it('heals what its watermark shows missing', async () => await heals(guide))
  })
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
  const half = { ...small.object, name: 'half \ud83d of a ship, nothing: \0' }
  expect(await post(receiver.url, { ...small, object: half }, { secrets: [NEW] })).toBe(204)
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

/** Snapshots of one version, and a store that was put back to an older one. */
async function dropsByPlace(receiver: RunningReceiver): Promise<void> {
  const versions: readonly (readonly [version: number, series: string, position: number])[] = [
    [3, 'k3v9', 20],
    [3, 'k3v9', 10],
    [3, 'k3v9', 30],
    [4, 'k3v9', 25],
    [2, 'restored', 1],
    [1, 'restored', 2],
    [2, 'restored', 3],
  ]
  for (const [version, series, position] of versions) {
    const event = { ...payloadOf(eventOf('SHP-PLACED', version)), id: `evt_${series}${position}` }
    await postSigned(receiver, { ...event, delivery: { subscription: 'erp', series, position } })
  }
  await end(receiver)
  const kept = [3, 3, 4, 2, 2].map((version) => lineOf(eventOf('SHP-PLACED', version)))
  expect(linesOf(receiver, 'SHP-PLACED')).toEqual(kept)
}

/** More than are looked at together. */
const FAILING = 101

async function goesOn(guide: Guide): Promise<void> {
  using receiver = await RunningReceiver.start(failing(guide), { ERP_SECRETS })
  for (let nth = 0; nth < FAILING; nth += 1)
    expect(await post(receiver.url, eventOf(`${FAILS}-${nth}`), { secrets: [NEW] })).toBe(204)
  await end(receiver)
  await end(receiver)
  await receiver.complains('as told')
  expect(receiver.handled.length).toBe(2)
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

function having(name: string, value: string | null): (message: Message) => Message {
  return ({ headers, body }) => ({ headers: { ...headers, [name]: value }, body })
}
