import { expect, test } from 'vitest'
import { ScriptedReceiver } from '../deliver/scripted-receiver.ts'
import { Stage } from './stage.ts'

const SECRET_PRICE = 'PRICE-OF-THE-QUOTE-4711'
const KEY = 'R0UT1NG-KEY-0123'
/** JSON only where a record has a number, or nothing. */
const BODY = `body: { template: '{ "key": "\${KEY}", "says": {{ text | json }}, "weight": {{ data.object.weight | default: 0 }} }', method: PUT }`
const MENDED = BODY.replace('| default: 0', '| json')

function shipments(...weights: readonly (number | string)[]) {
  return weights.map((weight, index) => ({
    platform_shipment_id: `SHP-${index}`,
    name: `Shoes ${index}`,
    status: 'booked',
    accepted_quote: { id: 7, note: SECRET_PRICE },
    weight,
  }))
}

test('what a subscription leaves out and what it is sent in place of payloads, from the front door', async () => {
  await using target = await ScriptedReceiver.start()
  const subscriptions = (body: string): string =>
    `  tms: { url: "${target.url}/in?sig=HIDDEN-SIGNATURE", events: [shipment.created], omit: [/accepted_quote], ${body} }
  bare: { url: "${target.url}/bare", secret: whsec_${Buffer.alloc(32, 7).toString('base64')}, events: [shipment.created], omit: [/accepted_quote] }`
  await using stage = await Stage.open({ subscriptions: subscriptions(BODY) })
  const { platform, receiver, work } = stage
  work.environment = { KEY }
  await work.run('once')
  platform.shipments = shipments(12, 'heavy')
  const once = await work.run('once')
  // What cannot be made is not delivered, and not for the endpoint to answer for.
  expect(once.code).toBe(1)
  expect(JSON.stringify(receiver.events)).toContain(SECRET_PRICE)
  const bare = target.requests.filter(({ path }) => path === '/bare')
  expect(bare).toHaveLength(2)
  expect(bare.map(({ body }) => body).join('')).not.toContain(SECRET_PRICE)
  const bodies = (): readonly unknown[] =>
    target.requests.filter(({ path }) => path !== '/bare').map((each) => [each.method, JSON.parse(each.body)])
  expect(bodies()).toEqual([['PUT', { key: KEY, says: expect.stringContaining('Shoes 0'), weight: 12 }]])
  const rows = await stage.deliveries('--subscription', 'tms')
  const exhausted = rows.find(({ state }) => state === 'exhausted')
  expect(rows.map(({ attempts, state }) => `${state} ${attempts}`).toSorted()).toEqual(['delivered 1', 'exhausted 1'])
  const story = await work.run('events', 'show', exhausted?.event_id ?? '')
  expect(story.stdout).toContain('the body cannot be made: template:1:1: what it renders is no JSON')
  const listed = JSON.parse((await work.run('subscriptions', 'list', '--json')).stdout)
  expect(listed).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'tms', state: 'ok' })]))
  const feed = await work.run('subscriptions', 'feed', 'tms', '--json')
  const { items }: { readonly items: readonly { readonly payload: string | null }[] } = JSON.parse(feed.stdout)
  expect(items.map(({ payload }) => payload)).toEqual(
    expect.arrayContaining([null, expect.stringContaining('"key": "[redacted]"')]),
  )
  stage.configure({ subscriptions: subscriptions(MENDED) })
  const retried = await work.run('deliveries', 'retry', exhausted?.id ?? '')
  expect([retried.code, retried.stderr]).toEqual([0, ''])
  expect(bodies()).toHaveLength(2)
  expect(bodies()[1]).toEqual(['PUT', { key: KEY, says: expect.stringContaining('Shoes 1'), weight: 'heavy' }])
  expect(`${story.stdout}${feed.stdout}${once.stdout}`).not.toContain(KEY)
})
