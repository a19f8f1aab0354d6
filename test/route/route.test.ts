import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import type { EventType } from '../../src/model/event-catalogue.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import { matchesPatterns } from '../../src/route/event-pattern.ts'
import { route } from '../../src/route/route.ts'
import { webhookChannel } from '../support/webhook-channel.ts'

function subscription(name: string, wish: Partial<Subscription>): Subscription {
  return {
    name,
    events: ['*'],
    accounts: null,
    enabled: true,
    order: 'none',
    rate: null,
    channel: webhookChannel(),
    ...wish,
  }
}

function event(id: string, type: EventType, account: string | null = 'acme'): EventDraft {
  const subject = { resource: 'shipment', id: 'SHP-1', version: 1, previousEventId: null } as const
  const rest = { timestamp: 0, observed: null, cause: 'change', object: null, before: null, changes: null } as const
  return { id, type, account, subject, ...rest, shipment: null, extras: {} }
}

describe('event patterns', () => {
  test.each([
    [['shipment.departed'], 'shipment.departed', true],
    [['shipment.departed'], 'shipment.departed_again', false],
    [['shipment.*'], 'shipment.departed', true],
    [['shipment.*'], 'shipments.departed', false],
    [['*'], 'invoice.due', true],
    [['*'], 'account.recovered', false],
    [['account.*'], 'account.recovered', true],
    [['account.recovered'], 'account.recovered', true],
    [['invoice.*'], 'credit_note.created', false],
  ] as const)('%j and %s: %s', (patterns, type, expected) => {
    expect(matchesPatterns(patterns, type)).toBe(expected)
  })
})

describe('routing', () => {
  test('gives each event to every subscription that wants it, in the order of the events', () => {
    const subscriptions = [subscription('erp', { events: ['shipment.*'] }), subscription('all', {})]
    const events = [event('evt_1', 'shipment.departed'), event('evt_2', 'invoice.created')]
    expect(route(events, subscriptions)).toEqual([
      { eventId: 'evt_1', subscription: 'erp' },
      { eventId: 'evt_1', subscription: 'all' },
      { eventId: 'evt_2', subscription: 'all' },
    ])
  })

  test('keeps to the accounts a subscription names', () => {
    const subscriptions = [subscription('erp', { accounts: ['acme'] })]
    const events = [event('evt_1', 'shipment.departed', 'acme'), event('evt_2', 'shipment.departed', 'globex')]
    expect(route(events, subscriptions).map(({ eventId }) => eventId)).toEqual(['evt_1'])
  })

  test('routes to disabled subscriptions too: their rows are held, not left out', () => {
    expect(route([event('evt_1', 'shipment.departed')], [subscription('erp', { enabled: false })])).toHaveLength(1)
  })
})
