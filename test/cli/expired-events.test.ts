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
