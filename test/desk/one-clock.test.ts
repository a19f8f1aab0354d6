import { describe, expect, test } from 'vitest'
import type { AccountSettings } from '../../src/model/account.ts'
import { eventsCommand } from '../../src/cli/events.ts'
import { mailOf } from '../../src/deliver/channels/email/mail-of.ts'
import { messageRenderer } from '../../src/deliver/channels/message-renderer.ts'
import { eventMessage } from '../../src/deliver/channels/slack/event-message.ts'
import { formatInstant } from '../../src/model/instant.ts'
import { dayOf } from '../../src/model/zoned-day.ts'
import { zonedInstant } from '../../src/serve/pages/parts/time.ts'
import { RequestViewer, viewedBy } from '../../src/serve/pages/parts/viewer.ts'
import { ledger } from '../cli/ledger.ts'
import { runCommand } from '../cli/run-command.ts'
import { claimed } from '../deliver/channels/email/mailing.ts'
import { PEOPLES_CHANNEL } from '../deliver/channels/peoples-channel.ts'
import { batch } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ActingDesk } from './acting-desk.ts'
import { ask, type Answer } from './ask.ts'
import { sampleDesk } from './sample-desk.ts'
import { faultsOf } from './valid-html.ts'

const RECORD = '/records/shipment/acme/SHP-1000'

function deskIn(...zones: readonly string[]) {
  const { context } = sampleDesk()
  const accounts = context.accounts().map((each, nth): AccountSettings => ({ ...each, timeZone: zones[nth] ?? 'UTC' }))
  return { ...context, accounts: () => accounts }
}

function wordsOf({ text }: Answer): string {
  return text.replaceAll(/<(?:pre|svg)[\s\S]*?<\/(?:pre|svg)\s*>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

describe('the zone of every date of a page', () => {
  test.each([
    { accounts: ['UTC', 'UTC'], path: RECORD, cookie: '', zone: 'UTC', arrival: 'Sun 13 Dec 2026, 10:00 UTC' },
    {
      accounts: ['Asia/Kathmandu', 'Asia/Katmandu'],
      path: RECORD,
      cookie: '',
      zone: 'Asia/Kathmandu',
      arrival: 'Sun 13 Dec 2026, 15:45 UTC+5:45',
    },
    {
      accounts: ['Asia/Tokyo', 'Europe/Paris'],
      path: RECORD,
      cookie: '',
      zone: 'UTC',
      arrival: 'Sun 13 Dec 2026, 10:00 UTC',
    },
    {
      accounts: ['Asia/Tokyo', 'Asia/Tokyo'],
      path: `${RECORD}?tz=pacific/kiritimati`,
      cookie: 'Europe/Paris',
      zone: 'Pacific/Kiritimati',
      arrival: 'Mon 14 Dec 2026, 00:00 UTC+14',
    },
    {
      accounts: ['Asia/Tokyo', 'Asia/Tokyo'],
      path: RECORD,
      cookie: 'Europe/Paris',
      zone: 'Europe/Paris',
      arrival: 'Sun 13 Dec 2026, 11:00 CET',
    },
    {
      accounts: ['Asia/Tokyo', 'Asia/Tokyo'],
      path: `${RECORD}?tz=`,
      cookie: 'Europe/Paris',
      zone: 'Asia/Tokyo',
      arrival: 'Sun 13 Dec 2026, 19:00 UTC+9',
    },
  ])('$path with $cookie, where accounts have $accounts: $zone', async ({ accounts, arrival, cookie, path, zone }) => {
    const answer = await ask(deskIn(...accounts), path, { cookie: `shipbell_tz=${encodeURIComponent(cookie)}` })
    expect(answer.status).toBe(200)
    const said = wordsOf(answer)
    expect(said).toContain(`Times in ${zone} `)
    expect(said.split(`Times in`)).toHaveLength(2)
    expect(said).toContain(`${arrival} 2026-12-13T10:00:00Z`)
  })

  test('is kept by a cookie, and given up by an empty field', async () => {
    const desk = deskIn('UTC', 'UTC')
    const kept = (await ask(desk, '/events?tz=us/pacific')).headers.get('set-cookie') ?? ''
    expect(kept).toContain('shipbell_tz=US%2FPacific; ')
    expect(kept).toMatch(/HttpOnly; SameSite=Lax/)
    expect((await ask(desk, '/events?tz=')).headers.get('set-cookie')).toContain('shipbell_tz=; Max-Age=0')
    expect((await ask(desk, '/events?tz=Mars/Olympus')).headers.get('set-cookie')).toBeNull()
    expect((await ask(desk, '/api/v1/events?tz=Asia/Tokyo')).headers.get('set-cookie')).toBeNull()
  })

  test('is said beside its field where it is wrong, and all else stays', { tags: 'long' }, async () => {
    const answer = await ask(deskIn('Asia/Tokyo', 'Asia/Tokyo'), '/events?type=shipment.eta_changed&tz=Mars/Olympus', {
      cookie: 'shipbell_tz=Europe%2FParis',
    })
    expect(answer.status).toBe(422)
    expect(await faultsOf(answer.text)).toEqual([])
    expect(wordsOf(answer)).toContain('Times in Europe/Paris')
    expect(wordsOf(answer)).toContain('Mars/Olympus is no time zone')
    expect(answer.text).toContain('<input type="hidden" name="type" value="shipment.eta_changed"')
    expect(answer.text).toMatch(/value="Mars\/Olympus"[^>]*aria-invalid="true"/)
  })
})

test('a time without an offset is meant in the zone that was chosen', async () => {
  const since: string[] = []
  const desk = new ActingDesk({
    actions: {
      countMatching: async (choice) => {
        since.push(formatInstant(choice.since))
        return 1
      },
    },
  })
  await desk.get('/plan?tz=Asia/Tokyo')
  const { text } = await desk.get('/deliveries/retry?subscription=erp&since=2026-11-21')
  expect(text).toContain('events since Sat 21 Nov 2026, 00:00 UTC+9')
  await desk.get('/deliveries/retry?subscription=erp&since=2026-11-21T01:00&tz=America/New_York')
  expect(since).toEqual(['2026-11-20T15:00:00.000Z', '2026-11-21T06:00:00.000Z'])
})

test('tables for programs have the offset of the zone', () => {
  const address = null
  const who = new RequestViewer({
    address,
    zone: { asked: 'Asia/Kathmandu', kept: null },
    language: { asked: null, kept: null, accepted: '' },
    usualZone: () => 'UTC',
  })
  expect(viewedBy(who, () => zonedInstant(Date.parse('2026-12-12T10:00Z')))).toBe('2026-12-12T15:45:00+05:45')
})

describe('an instant has the same day wherever it is shown', () => {
  test.each([
    ['Pacific/Pago_Pago', 'Sat 12 Dec'],
    ['America/Los_Angeles', 'Sun 13 Dec'],
    ['Asia/Kathmandu', 'Sun 13 Dec'],
    ['Pacific/Kiritimati', 'Mon 14 Dec'],
  ])('in %s: %s', async (zone, arrival) => {
    const { context, store } = sampleDesk()
    const event = store.log.find(({ subject, extras }) => subject.id === 'SHP-1000' && 'date_change' in extras)
    if (event === undefined) throw new Error('the arrival of SHP-1000 moves')
    const nth = store.details.findIndex(({ id, resource }) => id === 'SHP-1000' && resource === 'shipment')
    const record = store.details[nth]
    if (record === undefined) throw new Error('there is an SHP-1000')
    const arrival_date = { date: '2026-12-13T12:00:00+02:00', status: 'estimated' }
    const etaAt = Date.parse(arrival_date.date)
    store.details[nth] = { ...record, etaAt, object: { ...record.object, main_tracking_dates: { arrival_date } } }
    const shown = async (path: string) => wordsOf(await ask(context, path, { cookie: `shipbell_tz=${zone}` }))
    const page = await ask(context, RECORD, { cookie: `shipbell_tz=${zone}` })
    const render = messageRenderer({ ...PEOPLES_CHANNEL, timeZone: zone }, {})
    const mail = mailOf([claimed(event)], { digest: null, from: 'bell@example.com', render })
    const { cwd } = await ledger(async (kept) => {
      await kept.commit(batch({ events: [event] }))
    })
    const terminal = await runCommand(eventsCommand, ['list', '--tz', zone], { cwd, clock: new FakeClock() })
    const surfaces = {
      slips: await shown('/slips?days=30'),
      list: /SHP-1000 .{220}/.exec(await shown('/records/shipment'))?.[0],
      csv: (await ask(context, '/records/shipment?format=csv', { cookie: `shipbell_tz=${zone}` })).text
        .split('\n')
        .find((line) => line.includes('SHP-1000')),
      page: wordsOf(page),
      chart: /aria-label="(arrival: [^"]*)"/.exec(page.text)?.[1],
      event: await shown(`/events/${event.id}`),
      events: await shown('/events?subject=SHP-1000'),
      slack: JSON.stringify(eventMessage(event, render)),
      mail: mail.text,
      terminal: terminal.stdout,
      table: dayOf(Date.parse('2026-12-13T10:00Z'), zone),
    }
    expect(surfaces).toEqual({
      ...Object.fromEntries(Object.keys(surfaces).map((name) => [name, expect.stringContaining(arrival)])),
      csv: expect.stringContaining(`,2026-12-${arrival.slice(4, 6)}T`),
      table: `2026-12-${arrival.slice(4, 6)}`,
    })
  })
})
