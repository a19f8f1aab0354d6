import { expect, test } from 'vitest'
import { toldText } from '../../../src/serve/mcp/told.ts'

const row = (subscription: string, state: string) => ({ subscription, state })

test.each([
  [[], 'nobody was told'],
  [[row('erp', 'delivered'), row('ops', 'delivered')], 'told erp, ops'],
  [[row('ops', 'pending'), row('erp', 'delivered')], 'told erp; not told: ops (pending)'],
  [[row('ops', 'held'), row('mail', 'exhausted')], 'not told: ops (held), mail (exhausted)'],
])('who knows is whom a delivery reached: %j', (all, said) => {
  expect(toldText(all)).toBe(said)
})
