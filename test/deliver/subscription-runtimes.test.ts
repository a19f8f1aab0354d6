import { expect, it } from 'vitest'
import { SubscriptionRuntimes } from '../../src/deliver/subscription-runtimes.ts'
import { createLogger } from '../../src/log.ts'
import { OperatorTemplate } from '../../src/message/template/operator-template.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ofTest } from '../support/of-test.ts'
import { subscription } from '../support/subscription.ts'
import { PEOPLES_CHANNEL } from './channels/peoples-channel.ts'
import { sampleBatch, sampleEvent } from './sample-event.ts'

const NEVER = new AbortController().signal
const secrets = () => []
const [one, other] = [new OperatorTemplate('a.liquid', ' '), new OperatorTemplate('b.liquid', ' ')]
const OPS = subscription('ops', {
  channel: {
    kind: 'slack',
    url: 'http://127.0.0.1:1/services/T/B/X',
    hidden: [],
    ...PEOPLES_CHANNEL,
    templates: new Map([
      ['shipment.created', one],
      ['shipment.removed', one],
      ['invoice.due', other],
    ]),
    timeoutMs: 5_000,
    concurrency: 1,
  },
})

it('logs what fails of a template once, whatever the number of events', async () => {
  const lines: unknown[] = []
  const write = (line: string) => lines.push(JSON.parse(line))
  const log = createLogger({ level: 'info', pretty: false, colour: false, secrets, write })
  const context = { clock: new FakeClock(), version: '9.9.9', secrets, log, allowNetworks: () => ['127.0.0.0/8'] }
  const runtimes = ofTest(new SubscriptionRuntimes(context))
  await runtimes.configure([OPS])
  const runtime = runtimes.get('ops')
  for (const type of ['shipment.created', 'shipment.created', 'shipment.removed', 'invoice.due'] as const)
    await runtime.send(sampleBatch({ event: sampleEvent({ type }) }), NEVER)
  expect(lines).toMatchObject([
    {
      msg: 'template.failed',
      subscription: 'ops',
      type: 'shipment.created',
      error: 'a.liquid:1:1: it renders nothing',
      next: 'the built-in message is sent',
    },
    { msg: 'template.failed', subscription: 'ops', type: 'invoice.due' },
  ])
})
