import { describe, expect, test } from 'vitest'
import { field, textField, type JsonObject } from '../../src/model/json.ts'
import { MailServer } from '../support/mail-server.ts'
import { postgresDatabases } from '../support/postgres-databases.ts'
import type { KeptDelivery, KeptEvent } from './fixtures/content.ts'
import { arrivalOf, withArrival } from './fixtures/with-arrival.ts'
import { KeptStage, keptVersions } from './kept-stage.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Where a kept store's program was killed with attempts under way. */
const UNDER_WAY = new Set(['erp', 'hangs'])

/** How a store got to where it is gone on with. */
export type Moved = '' | ', moved to a database' | ', moved to a database and back'

async function play(version: string, moved: Moved, act: (stage: KeptStage) => Promise<void>): Promise<void> {
  await KeptStage.play(version, async (stage) => {
    if (moved !== '') await stage.moveTo({ url: await (await postgresDatabases()).take() })
    if (moved === ', moved to a database and back') await stage.moveTo({ path: 'back.db' })
    await act(stage)
  })
}

/** What a store of an older schema owes to whoever goes on with it. */
export function describeKeptStores(moved: Moved, versions: readonly string[] = keptVersions()): void {
  describe.for(versions)(`a store of schema %s${moved}`, (version) => {
    test('rings nothing while its platform shows what it knows, and sends again what was under way', async () => {
      await play(version, moved, async (stage) => {
        const { stdout } = await stage.run('once')
        expect((await stage.events()).map(identity)).toEqual(stage.facts.events)
        const expected = stage.facts.deliveries.map((row) =>
          row.state === 'pending' && UNDER_WAY.has(row.subscription) ? { ...row, state: 'delivered' } : row,
        )
        expect((await stage.deliveries()).map(standing)).toEqual(expected.map(standing))
        expect(stage.receiver.taken('/hangs')).toEqual(eventIds(stage.kept('hangs', 'pending')))
        expect(stage.receiver.heard.filter(({ path }) => !UNDER_WAY.has(path.slice(1)))).toEqual([])
        expect(stdout).toMatch(/^initech shipments: incomplete: .+asking to wait/m)
        expect(stdout).toMatch(/^acme documents: read$/m)
      })
    })

    test('releases what it held, in order, when it is enabled again', async () => {
      await play(version, moved, async (stage) => {
        await stage.run('subscriptions', 'enable', 'paused')
        await stage.run('subscriptions', 'enable', 'retired')
        stage.configure({ off: [], without: [] })
        await stage.run('once')
        for (const name of ['paused', 'retired', 'off', 'missing']) {
          const held = eventIds(stage.kept(name, 'held'))
          expect([name, held.length > 1]).toEqual([name, true])
          // One that failed before it was held goes on with its schedule.
          const due = new Set(stage.receiver.taken(`/${name}`))
          expect([name, held.filter((id) => due.has(id))]).toEqual([name, stage.receiver.taken(`/${name}`)])
          const left = (await stage.deliveries()).filter((row) => row.subscription === name && row.state === 'held')
          expect([name, left]).toEqual([name, []])
        }
        expect(stage.receiver.taken('/paused')).toEqual(eventIds(stage.kept('paused', 'held')))
        expect(stage.receiver.taken('/dropped')).toEqual([])
      })
    })

    test('goes on with its chains, its sequence, and what each subscription was told', async () => {
      await play(version, moved, async (stage) => {
        const last = stage.facts.events.findLast(({ type }) => type === 'shipment.eta_changed')
        const emitted = stage.facts.events.findLast(({ subject }) => subject.id === last?.subject.id)
        const sequence = Math.max(
          ...stage.facts.events.flatMap((each) => (each.account === 'acme' ? each.sequence : [])),
        )
        // The orders of the shipment hear of it, too: an older version derived nothing of them, so what it left is silent.
        const rung = async (): Promise<readonly KeptEvent[]> =>
          (await stage.rung()).filter(({ type }) => type.startsWith('shipment.'))
        const move = async (ms: number): Promise<readonly KeptEvent[]> => {
          stage.platform.edit('acme', ({ shipments }) => ({
            shipments: shipments.map((each) =>
              each['platform_shipment_id'] === last?.subject.id ? withArrival(each, arrivalOf(each) + ms) : each,
            ),
          }))
          await stage.run('once')
          return await rung()
        }
        const [first] = await move(HOUR_MS)
        expect(first).toMatchObject({
          type: 'shipment.eta_changed',
          sequence: sequence + 1,
          subject: {
            ...emitted?.subject,
            version: (emitted?.subject.version ?? 0) + 1,
            previous_event_id: emitted?.id,
          },
          data: { date_change: { shift_minutes: 60 } },
        })
        const [, second] = await move(DAY_MS)
        expect(second?.subject).toMatchObject({
          version: (emitted?.subject.version ?? 0) + 2,
          previous_event_id: first?.id,
        })
        const told = new Set([first?.id ?? '', second?.id ?? ''])
        expect(stage.receiver.taken('/erp').filter((id) => told.has(id))).toEqual([...told])
        expect(stage.receiver.taken('/shifts')).toEqual([second?.id])
        expect(await rung()).toHaveLength(2)
        const causes = (await stage.rung()).filter(({ type }) => type.startsWith('purchase_order.'))
        expect(causes.every((event) => told.has(textField(field(event, 'data'), 'because') ?? ''))).toBe(true)
      })
    })

    test('delivers what waits when its time comes, an ordered lane in its order, and rings what the calendar brings', async () => {
      await using mail = await MailServer.start()
      await play(version, moved, async (stage) => {
        stage.configure({ moved: true, smtpPort: mail.port })
        stage.clock.skip(25 * HOUR_MS)
        const { stdout } = await stage.run('once')
        expect(stage.receiver.taken('/lanes')).toEqual(eventIds(stage.kept('lanes', 'pending')))
        expect((await stage.deliveries()).filter(({ subscription }) => subscription === 'lanes').map(standing)).toEqual(
          stage.facts.deliveries
            .filter(({ subscription }) => subscription === 'lanes')
            .map((row) => standing({ ...row, state: 'delivered' })),
        )
        expect(stage.receiver.heard.filter(({ path }) => path === '/chat').length).toBeGreaterThan(0)
        expect(mail.mails).toHaveLength(1)
        expect(stdout).toMatch(/^initech shipments: read$/m)
        expect((await stage.rung()).map(({ type }) => type)).toContain('invoice.due_soon')
        // An account whose pause was told, as later versions do, is told to be read again.
        const paused = stage.facts.events.filter(({ type }) => type === 'account.paused')
        expect((await stage.rung()).filter(({ account }) => account !== 'acme').map(({ type }) => type)).toEqual(
          paused.map(() => 'account.recovered'),
        )
      })
    })

    test('rings the estimates that had waited to settle, from what was told before to what came of it', async () => {
      await using mail = await MailServer.start()
      await play(version, moved, async (stage) => {
        stage.configure({ moved: true, smtpPort: mail.port, without: ['missing', 'chat'] })
        stage.clock.skip(31 * DAY_MS)
        await stage.run('once')
        const settled = (await stage.rung()).filter(({ account }) => account === 'globex')
        expect(settled.map(({ type, subject }) => [type, subject.version])).toEqual(
          Array.from({ length: 3 }, () => ['shipment.eta_changed', 1]),
        )
        for (const event of settled) {
          expect(field(field(field(event, 'data'), 'date_change'), 'shift_minutes')).toBe((5 * DAY_MS) / 60_000)
        }
      })
    })

    test('believes a removal that it held once it is accepted', async () => {
      await play(version, moved, async (stage) => {
        const { stdout } = await stage.run('holds', 'list', '--json')
        expect(JSON.parse(stdout)).toMatchObject([{ account: 'acme', resource: 'documents' }])
        await stage.run('holds', 'accept', '--account', 'acme', '--resource', 'documents')
        await stage.run('once')
        const removed = (await stage.rung()).map(({ type }) => type)
        expect(new Set(removed)).toEqual(new Set(['document.removed']))
        expect(removed).toHaveLength(JSON.parse(stdout)[0].missing)
      })
    })
  })
}

function identity({ id, type, account, sequence, subject }: KeptEvent): JsonObject {
  return { id, type, account, sequence, subject }
}

/** How often a row was tried counts only where it was not under way when its program died. */
function standing({ id, event_id: event, subscription, state, attempts }: KeptDelivery): JsonObject {
  return { id, event, subscription, state, attempts: state === 'delivered' ? null : attempts }
}

function eventIds(rows: readonly KeptDelivery[]): readonly string[] {
  return rows.map(({ event_id: id }) => id)
}
