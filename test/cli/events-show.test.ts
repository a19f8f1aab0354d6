import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import type { CommandContext } from '../../src/cli/command-context.ts'
import { eventsCommand } from '../../src/cli/events.ts'
import type { EventDraft } from '../../src/model/event.ts'
import { formatInstant } from '../../src/model/instant.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { standardPayload } from '../../src/model/payload.ts'
import type { Provenance } from '../../src/model/provenance.ts'
import { attempt, batch, ring, sampleEvent, sampleExchange, sampleProvenance, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ledger, type Ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

const SHIPMENT = { resource: 'shipment', id: 'SHP-1' } as const
const ESTIMATED = { date: '2026-11-22T10:00:00Z', status: 'estimated' }
const ACTUAL = { date: '2026-11-21T10:00:00Z', status: 'actual' }

async function show(args: readonly string[], { cwd }: Ledger, isTTY = false) {
  return await runCommand(eventsCommand, ['show', ...args], { cwd, clock: new FakeClock(T + 10_000), isTTY })
}

/** What the command says to people of one event, seen so. */
async function said(event: EventDraft, provenance: Provenance | null, ...args: readonly string[]): Promise<string> {
  const filled = await ledger(async (store) => {
    await store.commit(batch({ events: [event], ...(provenance === null ? {} : { provenance }) }))
  })
  return (await show([event.id, ...args], filled)).stdout
}

/** `evt_1` and its delivery, which failed once. */
async function attempted(): Promise<Ledger> {
  return await ledger(async (store) => {
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    const deliveries = [{ eventId: 'evt_1', subscription: 'erp' }]
    await store.commit(batch({ events: [sampleEvent('evt_1')], deliveries, provenance: sampleProvenance() }))
    const [row] = await store.claim({ owner: 'me', now: T + 1000, leaseMs: 60_000, slots: new Map([['erp', 1]]) })
    await store.settle('me', [
      { id: row?.id ?? '', attempt: attempt({ answer: 'no\u001b[2J' }), result: { kind: 'retry', at: T + 9000 } },
    ])
  })
}

function emitted(from: object, to: object): JsonObject {
  return { date_change: { milestone: 'arrival', from: { ...from }, to: { ...to } } }
}

function linked(name: string): JsonObject {
  return { id: '9', name, link: 'https://files.example/9?sig=SECRET' }
}

/** An arrival that became actual and was taken back. */
async function corrected(): Promise<Ledger> {
  return await ledger(async (store) => {
    const arrived = sampleEvent('evt_1', { type: 'shipment.arrived', extras: emitted(ESTIMATED, ACTUAL) })
    const correction = sampleEvent('evt_2', {
      type: 'shipment.milestone_corrected',
      cause: 'correction',
      subject: { ...SHIPMENT, version: 2, previousEventId: 'evt_1' },
      timestamp: T + 1000,
      extras: { ...emitted(ACTUAL, ESTIMATED), corrects: 'evt_1' },
    })
    await ring(store, [arrived, correction], [])
  })
}

function program(context: CommandContext): Command {
  return new Command().option('--verbose').addCommand(eventsCommand(context))
}

describe('shipbell events show', () => {
  it('says why, how it was seen, what changed, and every attempt', async () => {
    const { exitCode, stdout } = await show(['evt_1'], await attempted())
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`Why
  The status changed.
`)
    expect(stdout).toContain(`Seen
  A page of pass 3 over shipments (begun at 2026-11-21T07:59:59.000Z) showed it:
    GET /v1/shipments?skip=100&take=100  200  sent 2026-11-21T07:59:59.868Z, answered 2026-11-21T08:00:00.000Z (132 ms, 41 kB)
  It was first seen in an answer of 2026-11-21T08:00:00.000Z; the last read with the old value was sent at 2026-11-21T07:58:00.000Z.
`)
    expect(stdout).toContain(`Changes
  /status: draft → booked
`)
    expect(stdout).toMatch(/^ {2}erp {2}pending, next attempt at 2026-11-21T08:00:09\.000Z {2}dlv_/m)
    expect(stdout).toContain('2026-11-21T08:00:01.000Z  20 ms  500: The receiver answered 500.  no\\x1b[2J')
    expect(stdout).not.toContain('"status": "draft"')
  })

  it.each([
    [{ kind: 'first' }, 'nothing had been read of it before'],
    [{ kind: 'promise', everyMs: 150_000 }, 'every page of its list is to be read every 2m30s'],
    [
      { kind: 'likely', expected: 0.8123, waitedMs: 61_400 },
      '0.81 changes were expected of this page in the 1m1s since its last read, more than elsewhere',
    ],
    [{ kind: 'announced' }, 'the row of its shipment had just changed'],
    [{ kind: 'once' }, 'a command read everything'],
  ] as const)('says why it was read when it was: %j', async (why, because) => {
    const filled = await ledger(async (store) =>
      store.commit(batch({ events: [sampleEvent('evt_1')], provenance: sampleProvenance({ why }) })),
    )
    expect((await show(['evt_1'], filled)).stdout).toContain(`  It was read then because ${because}.\n`)
    expect(JSON.parse((await show(['evt_1', '--json'], filled)).stdout).seen.why.kind).toBe(why.kind)
  })

  it('says what it corrects, and the other way round what corrected it', async () => {
    const filled = await corrected()
    const correction = (await show(['evt_2'], filled)).stdout
    expect(correction).toContain('Main tracking date arrival: an actual was taken back (guarantee E2).')
    expect(correction).toContain(`Corrects
  2026-11-21T08:00:00.000Z  shipment.arrived  evt_1
`)
    expect(correction).not.toContain('Corrected by')
    const arrived = (await show(['evt_1'], filled)).stdout
    expect(arrived).toContain('Main tracking date arrival: its status became actual (guarantee E2).')
    expect(arrived).toContain(`Corrected by
  2026-11-21T08:00:01.000Z  shipment.milestone_corrected  evt_2
`)
  })

  it('says what rang of the same subject before and after', async () => {
    const filled = await corrected()
    expect((await show(['evt_1'], filled)).stdout).toContain(`Events of shipment SHP-1
  before  none: it is the first
  this    number 1
  after   2026-11-21T08:00:01.000Z  shipment.milestone_corrected  evt_2
`)
    expect((await show(['evt_2'], filled)).stdout).toContain(`
  before  2026-11-21T08:00:00.000Z  shipment.arrived  evt_1
  this    number 2
  after   none yet
`)
  })

  it('explains a removal by the passes that missed it', async () => {
    const removed = sampleEvent('evt_1', { type: 'shipment.removed', changes: null, before: null, extras: {} })
    const notFound = sampleExchange({ path: '/v1/shipments/SHP-1', status: 404 })
    const seen = (passes: number, lastMetBy: number) =>
      sampleProvenance({ by: 'absence', exchanges: [notFound], missed: { passes, lastMetBy, accepted: false } })
    const plain = await said(removed, seen(2, 1))
    expect(plain).toContain('2 complete passes in a row missed it and a fetch by its id answered 404.')
    expect(plain).toContain('missed it, as pass 2 had; pass 1 was the last to show it.\n  A fetch by its id:\n')
    expect(plain).toContain('the last read that showed it was sent at 2026-11-21T07:58:00.000Z.')
    expect(plain).toContain('    GET /v1/shipments/SHP-1  404  sent')
    expect(await said({ ...removed, id: 'evt_2' }, { ...seen(2, 1), pass: { number: 9, startedAt: T } })).toContain(
      'missed it, 2 complete ones in all; pass 1 was the last to show it.',
    )
  })

  it('explains an event of the calendar by its edge', async () => {
    const at = '2026-11-14T23:00:00.000Z'
    const soon = sampleEvent('evt_1', {
      type: 'invoice.due_soon',
      cause: 'calendar',
      observed: null,
      changes: null,
      before: null,
      extras: { lead: '7d', days_left: 6, due_date: '2026-11-22', at, late_by: 339 },
    })
    const fetch = sampleExchange({ path: '/v1/invoices/INV-1' })
    const { pass: _pass, ...seen } = sampleProvenance({
      by: 'calendar',
      resource: 'invoice',
      exchanges: [fetch],
      lastRead: { sentAt: T - 60_000, answeredAt: T - 59_000 },
    })
    const text = await said(soon, seen)
    expect(text).toContain(
      `  Edge due_soon: due date 2026-11-22, lead 7d, days of Europe/Paris, passed at ${at}, rang 5h39m later.`,
    )
    expect(text).toContain(
      '  The record was last read at 2026-11-21T07:59:01.000Z.\n  A fetch by its id verified it:\n    GET /v1/invoices/INV-1  200',
    )
    const found = sampleProvenance({
      ...seen,
      exchanges: [{ ...fetch, status: 404 }],
      pass: { number: 8, startedAt: T },
    })
    expect(await said(soon, found)).toContain('A fetch by its id found nothing; pass 8 over its list showed it again')
    expect(await said(soon, { ...found, exchanges: [fetch], overruled: true })).toContain(
      'For a day fetches by its id told something else; pass 8 over its list still showed it and was believed. The last fetch:',
    )
  })

  it('says of a held estimate that it was held, and until when', async () => {
    const eta = sampleEvent('evt_1', {
      type: 'shipment.eta_changed',
      observed: { notBefore: null, notAfter: T - 60_000 },
    })
    expect(await said(eta, sampleProvenance())).toContain(
      'It was first seen in an answer of 2026-11-21T07:59:00.000Z; nothing was read of it before.\n  `settle` held it between',
    )
    const lastRead = { sentAt: T - 1, answeredAt: T }
    expect(await said(eta, { by: 'settled', resource: 'shipment', exchanges: [], lastRead })).toContain(
      'then rang without a further read.\n  The record was last read at 2026-11-21T08:00:00.000Z.\n',
    )
  })

  it('names the requests that failed, and says so where nothing is known of how it was seen', async () => {
    const failed = [1, 2, 3].map((index) => sampleExchange({ sentAt: T - index, status: null, bytes: 0 }))
    const down = sampleEvent('evt_1', { type: 'account.unreachable', observed: null, changes: null, extras: {} })
    const text = await said(down, { by: 'health', resource: null, exchanges: failed })
    expect(text).toContain('  These requests showed it:\n')
    expect(text.match(/ {2}no answer {2}sent/g)).toHaveLength(3)
    expect(await said(down, null)).toContain('Seen\n  It rang at 2026-11-21T08:00:00.000Z.\n')
  })

  it('shows the whole records with --verbose, harmless for a terminal', async () => {
    const hostile = { status: 'b\u202eooked\u009b2J', __proto__: null }
    const event = sampleEvent('evt_1', {
      object: { ...hostile },
      changes: [{ path: '/a\nb', from: '\u001b]0;x\u0007', to: { deep: '\u202e' }, removed: true }],
    })
    const text = await said(event, null, '--verbose')
    expect(text).toContain('Before\n  {\n    "status": "draft"\n  }\n')
    expect(text).toContain(String.raw`After
  {
    "status": "b\u{202e}ooked\x9b2J"
  }`)
    expect(text).toContain(String.raw`/a\x0ab: \x1b]0;x\x07 → {"deep":"\u{202e}"} (no longer there)`)
    for (const control of ['\u001b', '\u202e', '\u009b', '\u0007']) expect(text).not.toContain(control)
  })

  it('hears --verbose also where the whole program has it', async () => {
    const { cwd } = await attempted()
    const { stdout } = await runCommand(program, ['events', 'show', 'evt_1', '--verbose'], { cwd })
    expect(stdout).toContain('Before\n')
  })

  it.each(['--json', '--verbose'])('never shows the presigned link of a document, with %s neither', async (how) => {
    const changed = sampleEvent('evt_1', {
      type: 'document.updated',
      subject: { resource: 'document', id: '9', version: 1, previousEventId: null },
      object: linked('new.pdf'),
      before: linked('old.pdf'),
      changes: [{ path: '/name', from: 'old.pdf', to: 'new.pdf' }],
    })
    const text = await said(changed, null, how)
    expect(text).toContain('old.pdf')
    expect(text).not.toContain('SECRET')
  })

  it('colours on a terminal only', async () => {
    const filled = await attempted()
    expect((await show(['evt_1'], filled, true)).stdout).toContain('\u001b[1mWhy\u001b[22m')
    expect((await show(['evt_1'], filled)).stdout).not.toContain('\u001b[')
  })

  it('is one document with --json', async () => {
    const filled = await attempted()
    await using store = filled.store()
    const event = await store.event('evt_1')
    expect(JSON.parse((await show(['evt_1', '--json'], filled)).stdout)).toEqual({
      payload: event === null ? null : { ...standardPayload(event) },
      rule: 'The status changed.',
      edge: null,
      seen: {
        by: 'page',
        resource: 'shipments',
        pass: { number: 3, started_at: formatInstant(T - 1000) },
        requests: [
          {
            method: 'GET',
            path: '/v1/shipments?skip=100&take=100',
            sent_at: formatInstant(T - 132),
            answered_at: formatInstant(T),
            duration_ms: 132,
            status: 200,
            bytes: 41_000,
          },
        ],
        missed: null,
        last_read: null,
        time_zone: 'Europe/Paris',
        why: null,
      },
      changes: [{ path: '/status', from: 'draft', to: 'booked' }],
      before: { status: 'draft' },
      after: { status: 'booked' },
      corrects: null,
      corrected_by: [],
      previous: null,
      next: null,
      deliveries: [
        expect.objectContaining({
          subscription: 'erp',
          state: 'pending',
          attempts: 1,
          tried: [expect.objectContaining({ status: 500, duration_ms: 20, at: formatInstant(T + 1000) })],
        }),
      ],
    })
  })

  it('names other events alike in --json', async () => {
    const filled = await corrected()
    const arrived = { id: 'evt_1', type: 'shipment.arrived', timestamp: formatInstant(T), sequence: 1 }
    const correction = {
      id: 'evt_2',
      type: 'shipment.milestone_corrected',
      timestamp: formatInstant(T + 1000),
      sequence: 2,
    }
    expect(JSON.parse((await show(['evt_2', '--json'], filled)).stdout)).toMatchObject({
      corrects: arrived,
      corrected_by: [],
      previous: arrived,
      next: null,
      seen: null,
    })
    expect(JSON.parse((await show(['evt_1', '--json'], filled)).stdout)).toMatchObject({
      corrects: null,
      corrected_by: [correction],
      previous: null,
      next: correction,
    })
  })

  it('exits 1 where there is no such event', async () => {
    expect(await show(['evt_9'], await attempted())).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'There is no event "evt_9": `shipbell events list` shows them.',
    })
  })
})
