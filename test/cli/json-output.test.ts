import { describe, expect, it } from 'vitest'
import { deliveriesCommand } from '../../src/cli/deliveries.ts'
import { eventsCommand } from '../../src/cli/events.ts'
import { subscriptionsCommand } from '../../src/cli/subscriptions.ts'
import { ring, sampleEvent, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

async function twoEvents(): Promise<string> {
  const { cwd } = await ledger(async (store) => {
    await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
    const subject = { resource: 'shipment', id: 'SHP-\u001B[31m"2"\n', version: 1, previousEventId: null } as const
    await ring(store, [sampleEvent('evt_1'), sampleEvent('evt_2', { subject, timestamp: T + 1 })], ['erp'])
  })
  return cwd
}

async function run(command: typeof eventsCommand, cwd: string, ...args: readonly string[]) {
  return await runCommand(command, args, { cwd, clock: new FakeClock(T + 10_000) })
}

describe('--json FIELDS', () => {
  it('keeps these fields, those inside others too, in their order', async () => {
    const { stdout } = await run(
      eventsCommand,
      await twoEvents(),
      'list',
      '--json',
      'subject.version,id,subject.resource',
    )
    const kept = { subject: { version: 1, resource: 'shipment' } }
    expect(JSON.parse(stdout)).toEqual([
      { ...kept, id: 'evt_1' },
      { ...kept, id: 'evt_2' },
    ])
    expect(stdout.indexOf('subject')).toBeLessThan(stdout.indexOf('id'))
  })

  it('looks into every element of a list', async () => {
    const { stdout } = await run(eventsCommand, await twoEvents(), 'show', 'evt_1', '--json', 'deliveries.state,rule')
    expect(JSON.parse(stdout)).toEqual({ deliveries: [{ state: 'pending' }], rule: expect.anything() })
  })

  it('works for a list that is one document, and for an empty one', async () => {
    const cwd = await twoEvents()
    const { stdout } = await run(subscriptionsCommand, cwd, 'list', '--json', 'name,deliveries.pending')
    expect(JSON.parse(stdout)).toEqual([{ name: 'erp', deliveries: { pending: 2 } }])
    const none = await run(deliveriesCommand, cwd, 'list', '--state', 'exhausted', '--json', 'nothing')
    expect([none.exitCode, JSON.parse(none.stdout)]).toEqual([0, []])
  })

  it.each([
    ['ids', /no field "ids".+there are: id, event_id, type, account, subscription, state/],
    ['id,type.name', /no field "type\.name".+type has no fields/],
    ['constructor', /no field "constructor"/],
    ['id,,type', /names no field/],
  ])('refuses the unknown field %s and names those that exist', async (fields, message) => {
    const { exitCode, stderr, stdout } = await run(deliveriesCommand, await twoEvents(), 'list', '--json', fields)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })

  it('names the fields inside another one', async () => {
    const { stderr } = await run(eventsCommand, await twoEvents(), 'list', '--json', 'subject.name')
    expect(stderr).toMatch(/there are: subject\.resource, subject\.id/)
  })
})

describe('--template', () => {
  it('prints each item, values on one line without control characters', async () => {
    const { stdout } = await run(eventsCommand, await twoEvents(), 'list', '--template', '{{ id }}={{ subject.id }}')
    expect(stdout).toBe('evt_1=SHP-1\nevt_2=SHP-\\x1b[31m"2"\\x0a\n')
  })

  it('prints a document once, and each element of one that is a list', async () => {
    const cwd = await twoEvents()
    const shown = await run(eventsCommand, cwd, 'show', 'evt_1', '--template', '{{ payload.type }}')
    expect(shown.stdout).toBe('shipment.status_changed\n')
    const listed = await run(subscriptionsCommand, cwd, 'list', '--template', '{{ name }} {{ state }}')
    expect(listed.stdout).toBe('erp ok\n')
  })

  it('takes what --json keeps', async () => {
    const args = ['list', '--json', 'id', '--template', '{{ id }}{{ type }}'] as const
    expect((await run(eventsCommand, await twoEvents(), ...args)).stdout).toBe('evt_1\nevt_2\n')
  })

  it.each(['{{ id', '{% include "x" %}', '{{ id | nothing }}'])(
    'refuses %s before anything is done',
    async (template) => {
      const { exitCode, stderr, stdout } = await run(eventsCommand, '/nowhere', 'list', '--template', template)
      expect([exitCode, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^--template:1:\d+: /)
    },
  )

  it('bounds the work of a template', async () => {
    const loop = '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}'
    const { exitCode, stderr } = await run(eventsCommand, await twoEvents(), 'list', '--template', loop)
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/limit exceeded/)])
  })
})
