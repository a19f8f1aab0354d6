import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../../src/model/event.ts'
import type { EventType } from '../../src/model/event-catalogue.ts'
import type { Subscription } from '../../src/model/subscription.ts'
import { endpointEvent } from '../../src/route/endpoint-event.ts'
import { matchesPatterns } from '../../src/route/matches.ts'
import { route } from '../../src/route/route.ts'
import { subscription } from '../support/subscription.ts'
import { event } from './samples.ts'

function about(type: EventType, name: string): EventDraft {
  const subject = { resource: 'subscription', id: name, version: 1, previousEventId: null } as const
  return { ...event('evt_1', type, { account: null }), subject }
}

function hearers(events: readonly EventDraft[], subscriptions: readonly Subscription[]): readonly string[] {
  return route(events, subscriptions).deliveries.map(({ subscription: name }) => name)
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
    [['*'], 'endpoint.failing', false],
    [['endpoint.*'], 'endpoint.failing', true],
    [['shipment.updated'], 'shipment.rerouted', true],
    [['shipment.updated'], 'shipment.references_changed', true],
    [['shipment.updated'], 'shipment.cargo_updated', false],
    [['shipment.rerouted'], 'shipment.updated', false],
    [['purchase_order.updated'], 'purchase_order.shipment_status_changed', false],
  ] as const)('%j and %s: %s', (patterns, type, expected) => {
    expect(matchesPatterns(patterns, type)).toBe(expected)
  })
})

describe('routing', () => {
  test('gives each event to every subscription that wants it, in the order of the events', () => {
    const subscriptions = [subscription('erp', { events: ['shipment.*'] }), subscription('all', {})]
    const events = [event('evt_1', 'shipment.departed'), event('evt_2', 'invoice.created')]
    expect(route(events, subscriptions).deliveries).toEqual([
      { eventId: 'evt_1', subscription: 'erp' },
      { eventId: 'evt_1', subscription: 'all' },
      { eventId: 'evt_2', subscription: 'all' },
    ])
  })

  test('keeps to the accounts a subscription names', () => {
    const subscriptions = [subscription('erp', { accounts: ['acme'] })]
    const events = [event('evt_1', 'shipment.departed'), event('evt_2', 'shipment.departed', { account: 'globex' })]
    expect(route(events, subscriptions).deliveries.map(({ eventId }) => eventId)).toEqual(['evt_1'])
  })

  test('routes to disabled subscriptions too: their rows are held, not left out', () => {
    expect(
      route([event('evt_1', 'shipment.departed')], [subscription('erp', { enabled: false })]).deliveries,
    ).toHaveLength(1)
  })
})

describe('events about endpoints', () => {
  const failing = about('endpoint.failing', 'erp')

  test('are of no account and reach whoever names them, in any account', () => {
    expect(hearers([failing], [subscription('ops', { events: ['endpoint.*'], accounts: ['acme'] })])).toEqual(['ops'])
    expect(hearers([failing], [subscription('all', { events: ['*'] })])).toEqual([])
  })

  test('are never sent to the endpoint that they are about', () => {
    const itself = subscription('erp', { events: ['*', 'endpoint.*', 'endpoint.failing'], alert: true })
    expect(hearers([failing], [itself])).toEqual([])
    expect(hearers([about('endpoint.failing', 'other')], [itself])).toEqual(['erp'])
  })

  test('have a version and a predecessor, and the same id whenever they are made', () => {
    const first = endpointEvent({ subscription: 'erp', state: null, type: 'endpoint.failing', extras: { n: 4 }, at: 5 })
    const again = endpointEvent({ subscription: 'erp', state: null, type: 'endpoint.failing', extras: { n: 5 }, at: 9 })
    const next = endpointEvent({
      subscription: 'erp',
      state: first.state,
      type: 'endpoint.recovered',
      extras: {},
      at: 7,
    })
    expect(again.event.id).toBe(first.event.id)
    expect(first.event).toMatchObject({
      account: null,
      observed: null,
      extras: { n: 4, at: '1970-01-01T00:00:00.005Z' },
    })
    expect(next.event.subject).toEqual({
      resource: 'subscription',
      id: 'erp',
      version: 2,
      previousEventId: first.event.id,
    })
  })
})

describe('the subscription that is alerted', () => {
  const ops = subscription('ops', { events: ['invoice.due'], accounts: ['acme'], alert: true })

  test.each([
    ['endpoint.exhausted', null, true],
    ['account.unreachable', 'acme', true],
    ['account.unreachable', 'globex', true],
    ['account.baseline_completed', 'acme', false],
    ['invoice.due', 'acme', true],
    ['invoice.due', 'globex', false],
    ['invoice.overdue', 'acme', false],
  ] as const)('hears %s of %s: %s', (type, account, expected) => {
    expect(route([event('evt_1', type, { account })], [ops]).deliveries).toHaveLength(expected ? 1 : 0)
  })

  test('hears what it names as well only once', () => {
    const both = { ...ops, events: ['account.*'] }
    expect(
      hearers([event('evt_1', 'account.recovered'), event('evt_2', 'account.baseline_completed')], [both]),
    ).toEqual(['ops', 'ops'])
  })
})
