import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load-config.ts'
import type { AccountSettings } from '../../src/model/account.ts'
import { scratchFolder, shown } from './scratch.ts'

const DAY = 86_400_000

function load(watch: string): {
  readonly watch: AccountSettings['watch'] | undefined
  readonly problems: readonly string[]
} {
  const file = `accounts:
  acme:
    base_url: https://platform.example
    api_key: a
    watch: ${watch}
subscriptions: {}
`
  const { config, problems } = loadConfig('shipbell.yaml', { env: {}, cwd: scratchFolder({ 'shipbell.yaml': file }) })
  return { watch: config?.accounts[0]?.watch, problems: problems.map(shown) }
}

describe('the keys of the calendar', () => {
  it('have the defaults of the configuration reference', () => {
    const { watch } = load('{ shipments: {}, invoices: {} }')
    expect(watch?.invoices?.dueSoonMs).toEqual([7 * DAY, DAY])
    expect(watch?.shipments?.milestoneGraceMs).toBe(DAY)
  })

  it.each([
    ['[1d, 7d, 24h]', [7 * DAY, DAY]],
    ['[36h]', [1.5 * DAY]],
    ['[]', []],
  ])('due_soon: %s', (leads, expected) => {
    expect(load(`{ invoices: { due_soon: ${leads} } }`).watch?.invoices?.dueSoonMs).toEqual(expected)
  })

  it.each(['7d', '[7]', '[soon]', '[0s]', '[59s]', '[367d]'])(
    'due_soon: %s is a problem that names the key',
    (leads) => {
      const { watch, problems } = load(`{ invoices: { due_soon: ${leads} } }`)
      expect(watch).toBeUndefined()
      expect(problems.join('\n')).toContain('`due_soon` must be')
    },
  )

  it('milestone_grace may be nothing at all', () => {
    expect(load('{ shipments: { milestone_grace: 0s } }').watch?.shipments?.milestoneGraceMs).toBe(0)
    expect(load('{ shipments: { milestone_grace: 90m } }').watch?.shipments?.milestoneGraceMs).toBe(5_400_000)
  })
})
