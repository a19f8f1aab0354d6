import { describe, expect, it, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { scratchFolder, SECRET } from '../config/scratch.ts'
import { filter } from '../route/samples.ts'
import { readPage } from './pages.ts'

const PAGE = readPage('docs/how-to/filter-events.md')
const EXAMPLE = readPage('docs/reference/payload.md').blocks.find(({ role }) => role === 'payload')
const PAYLOAD: JsonObject = JSON.parse(EXAMPLE?.text ?? '')

/** The rows of the table: an expression and whether its event is sent. A bar is escaped in a table of Markdown. */
const ROWS = [...PAGE.text.matchAll(/^\| `(.+?)` +\| (sent|not sent) +\|$/gm)].map(
  ([, expression = '', outcome = '']) => [expression.replaceAll('\\|', '|'), outcome] as const,
)

describe('the page about filters', () => {
  it('has examples to look at', () => {
    expect(ROWS.length).toBeGreaterThan(8)
    expect(PAYLOAD['type']).toBe('shipment.eta_changed')
  })

  test.each(ROWS)('%s: %s', (expression, outcome) => {
    expect(filter(expression).judge(PAYLOAD).kind === 'no match' ? 'not sent' : 'sent').toBe(outcome)
  })

  it('ends its table with one that is missing a field and one that cannot be judged', () => {
    const kinds = ROWS.slice(-2).map(([expression]) => filter(expression).judge(PAYLOAD).kind)
    expect(kinds).toEqual(['no match', 'failed'])
  })

  it('shows a configuration that is valid', () => {
    const yaml = PAGE.blocks.find(({ language }) => language === 'yaml')?.text ?? ''
    const account =
      'accounts: { acme: { base_url: "https://platform.example", api_key: k, watch: { shipments: {}, invoices: {} } } }\n'
    const cwd = scratchFolder({ 'shipbell.yaml': account + yaml })
    const { config, problems } = loadConfig('shipbell.yaml', { env: { ERP_SECRET: SECRET, OPS_SECRET: SECRET }, cwd })
    expect(problems).toEqual([])
    expect(config?.subscriptions.map(({ alert, minShiftMs }) => ({ alert, minShiftMs }))).toEqual([
      { alert: false, minShiftMs: 43_200_000 },
      { alert: true, minShiftMs: null },
    ])
  })
})
