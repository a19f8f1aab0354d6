import nock from 'nock'
import { describe, expect, it } from 'vitest'
import { ringTest } from '../../../../src/operate/ring-test.ts'
import { standardPayload } from '../../../../src/model/payload.ts'
import {
  allIsThere,
  application,
  eventType,
  eventTypeSchema,
  lookUp,
  message,
  messageOf,
  nockAsSvix,
  shown,
  SVIX,
} from './nock-svix.ts'
import { SvixLedger } from './svix-ledger.ts'

nockAsSvix()

const CHANNEL = { server: SVIX }

describe('a message', () => {
  it('carries the standard payload under the id of the event, in the channel of its account', async () => {
    const ledger = await SvixLedger.open({ channel: CHANNEL })
    const event = await ledger.ring('evt_1')
    application().reply(201, { id: 'app_1', uid: 'acme' })
    eventType().reply(201, { name: event.type })
    const delivery = { subscription: 'hub', series: 'any', position: 1 }
    const payload = { ...JSON.parse(JSON.stringify(standardPayload(event))), delivery }
    messageOf({ eventId: 'evt_1', eventType: event.type, payload, channels: ['acme'] }).reply(202, shown('evt_1'))
    expect(await ledger.deliver()).toMatchObject({ state: 'delivered', lastStatus: 202 })
    expect(await ledger.attempts()).toEqual([
      { at: expect.any(Number), durationMs: 0, status: 202, error: null, answer: JSON.stringify(shown('evt_1')) },
    ])
  })

  it('of no account is in no channel: a test of the subscription, which makes its event type too', async () => {
    const ledger = await SvixLedger.open({ channel: CHANNEL })
    const { store, subscription, clock } = ledger
    const { event } = await ringTest(store, { name: 'hub', subscriptions: [subscription], at: clock.now() })
    const { id } = event
    allIsThere('shipbell.test')
    message(id, { eventType: 'shipbell.test', channels: undefined }).reply(202, shown(id))
    expect(await ledger.deliver()).toMatchObject({ state: 'delivered' })
  })

  it('goes to an application that is named by the id Svix gave it, which cannot be made', async () => {
    const ledger = await SvixLedger.open({ channel: { ...CHANNEL, app: 'app_2ab' } })
    await ledger.ring('evt_1')
    eventType().reply(201, {})
    nock(SVIX).post('/api/v1/app/app_2ab/msg?with_content=false').reply(202, shown('evt_1'))
    expect(await ledger.deliver()).toMatchObject({ state: 'delivered' })
  })

  it('goes to a server below a path', async () => {
    const ledger = await SvixLedger.open({ channel: { server: `${SVIX}/hooks/`, app: 'app_2ab' } })
    await ledger.ring('evt_1')
    nock(SVIX).post('/hooks/api/v1/event-type').reply(201, {})
    nock(SVIX).post('/hooks/api/v1/app/app_2ab/msg?with_content=false').reply(202, shown('evt_1'))
    expect(await ledger.deliver()).toMatchObject({ state: 'delivered' })
  })
})

describe('the application and its event types', () => {
  it('are ensured once for all messages, however many are under way at once', async () => {
    const ledger = await SvixLedger.open({ channel: CHANNEL })
    allIsThere()
    for (const id of ['evt_1', 'evt_2', 'evt_3']) {
      await ledger.ring(id)
      message(id).reply(202, shown(id))
    }
    await ledger.deliver()
    await ledger.ring('evt_4')
    message('evt_4').reply(202, shown('evt_4'))
    await ledger.deliver()
    await ledger.ring('evt_5', { type: 'shipment.updated' })
    eventType('shipment.updated').reply(201, {})
    message('evt_5', { eventType: 'shipment.updated' }).reply(202, shown('evt_5'))
    await ledger.deliver()
    expect((await ledger.rows()).map(({ state, attempts }) => [state, attempts])).toEqual(
      Array.from({ length: 5 }, () => ['delivered', 1]),
    )
  })

  it.each([404, 503])(
    'are good enough with the schema they have, where a newer one is not taken: %i',
    async (status) => {
      const ledger = await SvixLedger.open({ channel: CHANNEL })
      await ledger.ring('evt_1')
      application().reply(200, { id: 'app_1', uid: 'acme' })
      eventType().reply(409, {})
      eventTypeSchema().reply(status, {})
      message('evt_1').reply(202, shown('evt_1'))
      expect(await ledger.deliver()).toMatchObject({ state: 'delivered', attempts: 1 })
    },
  )

  it('are asked for again by the next attempt where that failed', async () => {
    const ledger = await SvixLedger.open({ channel: CHANNEL })
    await ledger.ring('evt_1')
    application().reply(503, 'busy')
    const failed = await ledger.deliver()
    const error = `${SVIX} answered 503 for the application acme`
    expect(failed).toMatchObject({ state: 'pending', attempts: 1, lastStatus: 503, lastError: error })
    allIsThere()
    message('evt_1').reply(202, shown('evt_1'))
    await ledger.clock.advance(5_000)
    expect(await ledger.deliver()).toMatchObject({ state: 'delivered', attempts: 2 })
  })

  it.each([
    ['the application', 404, { code: 'not_found', detail: 'Application not found' }],
    ['an event type', 404, { code: 'not_found', detail: 'Entity not found' }],
    ['an event type', 400, { code: 'unknown', detail: 'Unknown event type' }],
    ['an event type', 422, { detail: [{ loc: ['body', 'eventType'], msg: 'Does not exist', type: 'value_error' }] }],
  ])('are made again in the same attempt where %s was removed: %i', async (_, code, body) => {
    const ledger = await SvixLedger.open({ channel: CHANNEL })
    await ledger.ring('evt_1')
    allIsThere()
    message('evt_1').reply(202, shown('evt_1'))
    await ledger.deliver()
    await ledger.ring('evt_2')
    message('evt_2').reply(code, body)
    application().reply(201, {})
    eventType().reply(201, {})
    message('evt_2').reply(202, shown('evt_2'))
    await ledger.deliver()
    const [second] = await ledger.rows()
    expect(second).toMatchObject({ eventId: 'evt_2', state: 'delivered', attempts: 1, lastStatus: 202 })
  })

  it('are made again once, not for ever, where that does not help', async () => {
    const ledger = await SvixLedger.open({ channel: CHANNEL })
    await ledger.ring('evt_1')
    allIsThere()
    allIsThere()
    message('evt_1').times(2).reply(404, { code: 'not_found', detail: 'Application not found' })
    const error = `${SVIX} answered 404 for the message ("Application not found"); svix.server must be the address of a Svix server, and an svix.app that begins with app_ must exist there`
    expect(await ledger.deliver()).toMatchObject({ state: 'pending', attempts: 1, lastError: error })
  })
})

describe('409', () => {
  it('is delivered where the application has the message: an earlier answer was lost', async () => {
    const ledger = await SvixLedger.open({ channel: CHANNEL })
    await ledger.ring('evt_1')
    allIsThere()
    message('evt_1').reply(409, { code: 'conflict', detail: 'A conflict has occurred' })
    lookUp('evt_1').reply(200, shown('evt_1'))
    expect(await ledger.deliver()).toMatchObject({ state: 'delivered', attempts: 1, lastStatus: 409, lastError: null })
  })

  it('is no delivery where the application has no such message', async () => {
    const ledger = await SvixLedger.open({ channel: CHANNEL })
    await ledger.ring('evt_1')
    allIsThere()
    message('evt_1').reply(409, { code: 'conflict', detail: 'A conflict has occurred' })
    lookUp('evt_1').reply(404, { code: 'not_found', detail: 'Entity not found' })
    const row = await ledger.deliver()
    expect(row).toMatchObject({ state: 'pending', lastStatus: 409 })
    expect(row.lastError).toContain('answered 409, but the application acme has no message evt_1')
  })

  it('is no delivery while that cannot be asked', async () => {
    const ledger = await SvixLedger.open({ channel: CHANNEL })
    await ledger.ring('evt_1')
    allIsThere()
    message('evt_1').reply(409, {})
    lookUp('evt_1').reply(500, '')
    const lastError = `${SVIX} answered 500 for the message it has as evt_1`
    expect(await ledger.deliver()).toMatchObject({ state: 'pending', lastStatus: 500, lastError })
  })
})

describe('order', () => {
  it('holds across a failure: the later message waits for the earlier one', async () => {
    const ledger = await SvixLedger.open({ channel: CHANNEL, about: { order: 'subject' } })
    await ledger.ring('evt_1')
    await ledger.ring('evt_2')
    allIsThere()
    message('evt_1').reply(500, {})
    await ledger.deliver()
    await ledger.clock.advance(5_000)
    message('evt_1').reply(202, shown('evt_1'))
    message('evt_2').reply(202, shown('evt_2'))
    await ledger.deliver()
    expect((await ledger.rows()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['delivered', 1],
      ['delivered', 2],
    ])
  })
})
