import { expect, it } from 'vitest'
import { logTemplateOnce } from '../../src/deliver/subscription-runtimes.ts'
import { createLogger } from '../../src/log.ts'
import { OperatorTemplate } from '../../src/message/template/operator-template.ts'

it('logs what fails of a template once, whatever the number of events', () => {
  const lines: unknown[] = []
  const write = (line: string) => lines.push(JSON.parse(line))
  const log = createLogger({ level: 'info', pretty: false, colour: false, secrets: () => [], write })
  const failed = logTemplateOnce(log, 'ops')
  const [one, other] = [new OperatorTemplate('a.liquid', 'a'), new OperatorTemplate('b.liquid', 'b')]
  failed({ template: one, type: 'shipment.created', reason: 'a.liquid:1:1: it renders nothing', bound: false })
  failed({ template: one, type: 'shipment.removed', reason: 'a.liquid:1:1: it renders nothing', bound: false })
  failed({ template: other, type: 'invoice.due', reason: 'b.liquid:1:1: it renders nothing', bound: false })
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
