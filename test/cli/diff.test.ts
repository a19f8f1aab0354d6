import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { diffCommand } from '../../src/cli/diff.ts'
import { sampleEvent, ring, T } from '../store/samples.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

const DAY = 86_400_000

const OLD = `accounts:
  acme: { base_url: "\${BASE}", api_key: "\${KEY}" }
subscriptions:
  erp: { url: "\${ERP}", secret: "\${SECRET}", events: ["*"] }
  ops: { teams: { url: "\${TEAMS}" }, events: ["shipment.*"] }
http: false
`

function at(days: number) {
  return { timestamp: T - days * DAY, object: { status: 'booked', name: 'Shoes' } }
}

/** A store with two events of today and two of three days ago, of which one is a test and one has expired. */
async function desk(files: Readonly<Record<string, string>> = {}) {
  const { cwd } = await ledger(async (store) => {
    await ring(store, [sampleEvent('evt_1', at(3)), sampleEvent('evt_2', at(3))], [])
    await ring(store, [sampleEvent('evt_3', { ...at(0), type: 'shipment.updated' }), sampleEvent('evt_4', at(0))], [])
    await ring(store, [sampleEvent('evt_5', { cause: 'test', ...at(0) })], [])
  })
  for (const [name, text] of Object.entries({ 'old.yaml': OLD, ...files })) writeFileSync(path.join(cwd, name), text)
  const clock = new FakeClock(T)
  const run = async (...args: readonly string[]) => await runCommand(diffCommand, args, { cwd, clock })
  const json = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).stdout)
  return { cwd, run, json }
}

const NEW = OLD.replace('events: ["*"]', 'events: ["shipment.status_changed"]')
  .replace('ops: {', 'crew: {')
  .replace('api_key: "${KEY}"', 'api_key: "${OTHER}", settle: 1h')

describe('shipbell diff', () => {
  it('says nothing where nothing differs, with exit code 0', async () => {
    const { run } = await desk()
    const { exitCode, stderr, stdout } = await run('old.yaml', 'old.yaml')
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout)
      .toBe(`Nothing differs between old.yaml and old.yaml: 4 events since 2026-11-18T08:00:00.000Z would have been told alike.

SUBSCRIPTION  LESS  MORE  DIFFERENT  A DAY  UNDER NEW
erp              0     0          0   1.33       1.33
ops              0     0          0   0.67       0.67
`)
  })

  it('lists the ids of what differs, the messages a day, and tells elsewhere what was not tried', async () => {
    const { run } = await desk({ 'new.yaml': NEW })
    const { exitCode, stderr, stdout } = await run('old.yaml', 'new.yaml', '--json')
    expect(exitCode).toBe(1)
    expect(stderr).toBe(
      'Not tried, because these keys differ and a log cannot show what they do: accounts.acme.settle.\n',
    )
    expect(JSON.parse(stdout)).toEqual([
      { subscription: 'erp', less: ['evt_3'], more: [], different: [], per_day: { old: 1.33, new: 1 } },
      {
        subscription: 'crew',
        less: [],
        more: ['evt_1', 'evt_2', 'evt_3', 'evt_4'],
        different: [],
        per_day: { old: 0, new: 0.67 },
      },
      {
        subscription: 'ops',
        less: ['evt_1', 'evt_2', 'evt_3', 'evt_4'],
        more: [],
        different: [],
        per_day: { old: 0.67, new: 0 },
      },
    ])
    const fields = await run('old.yaml', 'new.yaml', '--json', 'subscription,per_day.new')
    expect(JSON.parse(fields.stdout)[0]).toEqual({ subscription: 'erp', per_day: { new: 1 } })
    const template = await run('old.yaml', 'new.yaml', '--template', '{{ subscription }} {{ less | size }}')
    expect(template.stdout).toBe('erp 1\ncrew 0\nops 4\n')
  })

  it('tries what rang since, and counts days from then', async () => {
    const { json } = await desk({ 'new.yaml': NEW })
    expect((await json('old.yaml', 'new.yaml', '--since', '2d'))[0]).toEqual({
      subscription: 'erp',
      less: ['evt_3'],
      more: [],
      different: [],
      per_day: { old: 1, new: 0.5 },
    })
  })

  it('judges messages a day with --at-most alone', async () => {
    const { run } = await desk({ 'new.yaml': NEW })
    expect(await run('old.yaml', 'new.yaml', '--at-most', '1')).toMatchObject({ exitCode: 0 })
    const { exitCode, stderr } = await run('old.yaml', 'new.yaml', '--at-most', '0.9')
    expect([exitCode, stderr]).toEqual([1, 'erp would get 1 message a day: more than 0.9.\n'])
    expect(await run('old.yaml', 'new.yaml', '--at-most', 'few')).toMatchObject({ exitCode: 2 })
  })

  it('writes a comment for a pull request, in which names mean nothing', async () => {
    const hostile = 'a|b`c\n<img src=x>.yaml'
    const { run } = await desk({ [hostile]: NEW })
    const { exitCode, stdout } = await run('old.yaml', hostile, '--markdown')
    expect(exitCode).toBe(1)
    expect(stdout).toBe(`### What \`\` a¦b\`c\\x0a<img src=x>.yaml \`\` would send, beside \`old.yaml\`

Tried on 4 events since 2026-11-18T08:00:00.000Z: 3 of 3 subscriptions would have been told otherwise.

| Subscription | Less | More | Different | Messages a day | Under the new one |
| --- | --: | --: | --: | --: | --: |
| \`erp\` | 1 | 0 | 0 | 1.33 | 1 |
| \`crew\` | 0 | 4 | 0 | – | 0.67 |
| \`ops\` | 4 | 0 | 0 | 0.67 | – |

<details><summary><code>erp</code>, by type</summary>

| Type | Less | More | Different | Such as |
| --- | --: | --: | --: | --- |
| \`shipment.updated\` | 1 | 0 | 0 | \`evt_3\` |

</details>

<details><summary><code>crew</code>, by type</summary>

| Type | Less | More | Different | Such as |
| --- | --: | --: | --: | --- |
| \`shipment.status_changed\` | 0 | 3 | 0 | \`evt_1\` \`evt_2\` \`evt_4\` |
| \`shipment.updated\` | 0 | 1 | 0 | \`evt_3\` |

</details>

<details><summary><code>ops</code>, by type</summary>

| Type | Less | More | Different | Such as |
| --- | --: | --: | --: | --- |
| \`shipment.status_changed\` | 3 | 0 | 0 | \`evt_1\` \`evt_2\` \`evt_4\` |
| \`shipment.updated\` | 1 | 0 | 0 | \`evt_3\` |

</details>

> Not tried, because these keys differ and a log cannot show what they do: accounts.acme.settle.
`)
  })

  it('names every mistake of both files before it looks for a store, and a store that is not there', async () => {
    const { run } = await desk({
      'bad.yaml': OLD.replace('events: ["shipment.*"]', 'events: ["shipmint.*"]'),
      'elsewhere.yaml': `${OLD}storage: { path: none.db }\n`,
    })
    const bad = await run('bad.yaml', 'elsewhere.yaml')
    expect([bad.exitCode, bad.stdout]).toEqual([2, ''])
    expect(bad.stderr).toMatch(/^bad\.yaml:5:\d+: `events` .*did you mean/)
    expect(await run('old.yaml', 'none.yaml')).toMatchObject({ exitCode: 2 })
    expect(await run('old.yaml', 'elsewhere.yaml')).toMatchObject({ exitCode: 3 })
    expect(await run('elsewhere.yaml', 'elsewhere.yaml', '-c', 'old.yaml')).toMatchObject({ exitCode: 0 })
    expect(await run('old.yaml', 'old.yaml', '--markdown', '--json')).toMatchObject({ exitCode: 2 })
  })

  it.each<[string, string, string]>([
    ['a thin payload', 'events: ["*"]', 'events: ["*"], payload: thin'],
    ['another format', 'events: ["*"]', 'events: ["*"], format: cloudevents'],
    ['another place', '"${ERP}"', '"${ERP_OF_OURS}"'],
    ['what is left out', 'events: ["*"]', 'events: ["*"], omit: [/name]'],
    ['another language', 'events: ["shipment.*"]', 'events: ["shipment.*"], language: fr'],
    ['another channel', 'teams:', 'google_chat:'],
  ])('tells of %s', async (_, from, to) => {
    const { json } = await desk({ 'new.yaml': OLD.replace(from, to) })
    const items: { different: string[] }[] = await json('old.yaml', 'new.yaml')
    expect(items.filter(({ different }) => different.length > 1)).toHaveLength(1)
    expect(items.filter(({ different }) => different.length === 0)).toHaveLength(1)
  })

  it.each<[string, string, string]>([
    ['a secret', '"${SECRET}"', '["${SECRET}", "${NEXT}"]'],
    ['a pace', 'events: ["*"]', 'events: ["*"], rate: { requests: 1, per: 1s }, timeout: 3s'],
    ['a payload that adapts', 'events: ["*"]', 'events: ["*"], payload: auto'],
    ['how it is written', 'events: ["*"] }', "events: ['*'] } # all"],
  ])('does not tell of %s', async (_, from, to) => {
    const { run } = await desk({ 'new.yaml': OLD.replace(from, to) })
    expect(await run('old.yaml', 'new.yaml')).toMatchObject({ exitCode: 0 })
  })
})
