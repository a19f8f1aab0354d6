import { expect, it } from 'vitest'
import { accountEvent } from '../../src/detect/account-event.ts'

const AT = Date.parse('2026-01-02T03:04:05Z')
const FIRST = {
  account: 'acme',
  state: null,
  type: 'account.unreachable',
  extras: { reason: 'refused', since: 'x' },
  at: AT,
} as const

it('an account event shows no record, says when it fired, and starts the chain', () => {
  const { event, state } = accountEvent(FIRST)
  expect(event).toMatchObject({
    type: 'account.unreachable',
    account: 'acme',
    subject: { resource: 'account', id: 'acme', version: 1, previousEventId: null },
    timestamp: AT,
    observed: null,
    changes: null,
    object: null,
    extras: { reason: 'refused', since: 'x', at: '2026-01-02T03:04:05.000Z' },
  })
  expect(state).toMatchObject({ resource: 'account', id: 'acme', seen: null, version: 1, lastEventId: event.id })
})

it('account events are chained, and what the account remembers moves on', () => {
  const first = accountEvent({ ...FIRST, memory: { health: { state: 'degraded', since: AT, reason: 'refused' } } })
  const second = accountEvent({
    account: 'acme',
    state: first.state,
    type: 'account.recovered',
    extras: {},
    at: AT + 1,
  })
  expect(second.event.subject).toMatchObject({ version: 2, previousEventId: first.event.id })
  expect(second.state.memory).toEqual(first.state.memory)
  expect(second.event.id).not.toBe(first.event.id)
})

it('the id of an account event does not depend on when it fired, but for the first, which tells one store from another', () => {
  const { event, state } = accountEvent(FIRST)
  const again = (at: number): string => accountEvent({ ...FIRST, state, at }).event.id
  expect(again(AT + 999)).toBe(again(AT))
  const anew = accountEvent({ ...FIRST, at: AT + 999 })
  expect(anew.event.id).not.toBe(event.id)
  expect(accountEvent({ ...FIRST, state: anew.state }).event.id).not.toBe(again(AT))
})

it('baselines of two resources are two events', () => {
  expect(completed('shipments')).not.toBe(completed('invoices'))
})

function completed(resource: string): string {
  return accountEvent({ ...FIRST, type: 'account.baseline_completed', extras: { resource, count: 3 } }).event.id
}
