import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { expectationsCommand } from '../../src/cli/expectations.ts'
import type { ExpectationRule, ExpectationState } from '../../src/model/expectation.ts'
import { digestOf } from '../../src/poll/expectations/account-rules.ts'
import { batch, sampleState, T, write } from '../store/samples.ts'
import { ledger } from './ledger.ts'
import { runCommand } from './run-command.ts'

const DEPARTS = new Date(T + 82_800_000).toISOString()
const RULE: ExpectationRule = {
  name: 'booked-in-time',
  about: 'shipment',
  when: 'true',
  by: 'before(shipment.main_tracking_dates.departure_date, "1d")',
  until: 'shipment.status == "in_progress"',
  severity: 'warning',
}

function fileOf({ about, by, until }: ExpectationRule): string {
  return `
accounts:
  acme: { base_url: https://p.example, api_key: k, watch: { shipments: {} } }
expectations:
  booked-in-time: { about: ${about}, by: '${by}', until: '${until}' }
`
}

async function judged(
  rule = RULE,
  state: ExpectationState = { state: 'missed', by: T - 3_600_000, rang: true },
): Promise<string> {
  const { cwd } = await ledger(async (store) => {
    const record = {
      platform_shipment_id: 'SHP-1',
      status: 'booked',
      main_tracking_dates: { departure_date: { date: DEPARTS, status: 'planned' } },
    }
    await store.commit(batch({ records: [write(sampleState('SHP-1', { seen: record, reported: record }))] }))
    const rules = [{ name: 'booked-in-time', digest: digestOf(rule, 'UTC'), generation: 4, since: T }]
    const states = {
      'booked-in-time': state,
      gone: { state: 'waiting', by: null, rang: false },
    } as const
    const judgement = { generation: 4, isGone: false, states, failures: {}, dueAt: null }
    const records = [{ resource: 'shipment', id: 'SHP-1', ...judgement } as const]
    const changes = [{ kind: 'expectations', rules, records } as const]
    await store.commit({ account: 'acme', records: [], events: [], deliveries: [], dates: [], changes })
  })
  const file = `${cwd}/shipbell.yaml`
  const storage = /^storage:.*(?:\n {2}.*)*$/m.exec(readFileSync(file, 'utf8'))?.[0] ?? ''
  writeFileSync(file, `${storage}\n${fileOf(rule)}`)
  return cwd
}

async function expectations(args: readonly string[], cwd: string) {
  return await runCommand(expectationsCommand, args, { cwd })
}

describe('shipbell expectations', () => {
  it('lists where each stands, but for rules that are gone', async () => {
    const cwd = await judged()
    expect(JSON.parse((await expectations(['list', '--json'], cwd)).stdout)).toEqual([
      {
        name: 'booked-in-time',
        account: 'acme',
        subject: { resource: 'shipment', id: 'SHP-1' },
        by: '2026-11-21T07:00:00.000Z',
        state: 'missed',
      },
    ])
    expect((await expectations(['list'], cwd)).stdout).toMatch(/booked-in-time +acme +shipment SHP-1 +\S+ \S+ +missed/)
    expect((await expectations(['list', '--account', 'acne'], cwd)).exitCode).toBe(2)
  })

  it('says by when it is expected today, where changes that put it off were not judged', async () => {
    const rule = { ...RULE, by: 'after(last_change("shipment"), "7d")' }
    const cwd = await judged(rule, { state: 'waiting', by: T, rang: false })
    const [standing] = JSON.parse((await expectations(['list', '--json'], cwd)).stdout)
    expect(standing).toMatchObject({ state: 'waiting', by: new Date(T + 7 * 86_400_000).toISOString() })
  })

  it('tries a rule on what is stored', async () => {
    const cwd = await judged()
    const { stdout } = await expectations(['test', 'booked-in-time', '--since', '2026-11-21', '--json'], cwd)
    const by = new Date(T - 3_600_000).toISOString()
    expect(JSON.parse(stdout)).toEqual([
      { type: 'expectation.missed', account: 'acme', subject: { resource: 'shipment', id: 'SHP-1' }, by, at: by },
    ])
    const later = await expectations(['test', 'booked-in-time', '--since', '2026-11-22'], cwd)
    expect(later.stdout).toContain('It would have rung nothing since 2026-11-22')
    const { exitCode, stderr } = await expectations(['test', 'booked-in-tine'], cwd)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('did you mean booked-in-time?')])
  })
})
