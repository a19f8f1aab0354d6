import { expect, it } from 'vitest'
import { eventsCommand } from '../../src/cli/events.ts'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { ring, sampleEvent, T } from '../store/samples.ts'
import { ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

it('every type of event can be listed and explained after its payload has expired', async () => {
  const { cwd } = await ledger(async (store) => {
    const events = EVENT_CATALOGUE.map(({ type, resource, family }, index) =>
      sampleEvent(`evt_${index}`, {
        type,
        subject: { resource, id: `ID-${index}`, version: 1, previousEventId: null },
        ...(family === 'diff' ? {} : { observed: null, changes: null, before: null, cause: 'calendar' }),
      }),
    )
    await ring(store, events, [])
    await store.expirePayloads({ before: T, now: T + 1_000, after: null, limit: 1_000 })
  })
  const list = await runCommand(eventsCommand, ['list', '--limit', '999'], { cwd })
  expect(list.exitCode).toBe(0)
  expect(list.stdout.match(/ {2}\(payload expired\)\n/g)).toHaveLength(EVENT_CATALOGUE.length)
  const documents: unknown[] = JSON.parse((await runCommand(eventsCommand, ['list', '--json'], { cwd })).stdout)
  expect(documents).toHaveLength(EVENT_CATALOGUE.length)
  for (const document of documents) expect(document).toMatchObject({ expired: true, data: {} })
  for (const [index, { type }] of EVENT_CATALOGUE.entries()) {
    const shown = await runCommand(eventsCommand, ['show', `evt_${index}`], { cwd })
    expect([type, shown.exitCode, shown.stderr]).toEqual([type, 0, ''])
    expect(shown.stdout).toContain('Its payload expired at 2026-11-21T08:00:01.000Z (retention.payloads)')
  }
})

it('of an event that was dropped it is said that it may be, and later ones name it', async () => {
  const next = { resource: 'shipment', id: 'SHP-1', version: 2, previousEventId: 'evt_gone' } as const
  const { cwd } = await ledger(async (store) => {
    await ring(store, [sampleEvent('evt_gone')], [])
    await ring(store, [sampleEvent('evt_kept', { subject: next, timestamp: T + 1 })], [])
    await store.expirePayloads({ before: T, now: T, after: null, limit: 9 })
    await store.dropEnded({ before: T, after: null, limit: 9 })
  })
  const why = '(what ended until 2026-11-21T08:00:00.000Z was dropped: retention.ledger)'
  const gone = await runCommand(eventsCommand, ['show', 'evt_gone'], { cwd })
  expect([gone.exitCode, gone.stderr]).toEqual([
    1,
    `There is no event "evt_gone" ${why}: \`shipbell events list\` shows them.`,
  ])
  const kept = await runCommand(eventsCommand, ['show', 'evt_kept'], { cwd })
  expect(kept.stdout).toContain('before  evt_gone: dropped (retention.ledger)')
})
