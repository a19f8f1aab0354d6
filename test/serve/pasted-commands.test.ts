import { afterEach, beforeEach, expect, test } from 'vitest'
import { messageRenderer } from '../../src/deliver/channels/message-renderer.ts'
import { asStarted, asStartedInJson, noteStart } from '../../src/invocation.ts'
import { createLogger } from '../../src/log.ts'
import { LANGUAGES } from '../../src/model/reader.ts'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import { Desk, TOKEN, VIEWER } from './desk.ts'

const ENABLE = "npx shipbell subscriptions enable erp -c 'my shop.yaml'"

beforeEach(() => noteStart({ env: { npm_command: 'exec' }, configFile: 'my shop.yaml' }))
afterEach(() => noteStart({ env: {} }))

test('commands of the API and of pages are as the program was started', async () => {
  const desk = await Desk.open()
  await desk.ask('/api/v1/subscriptions/erp/disable', { method: 'POST', token: TOKEN })
  const status = await desk.ask('/api/v1/status', { token: VIEWER })
  expect(status.text).toContain(ENABLE)
  const cookie = await desk.signIn(VIEWER)
  const page = await desk.ask('/system', { headers: { cookie } })
  expect(page.text).toContain(ENABLE.replaceAll("'", '&#39;'))
})

test.each(LANGUAGES)('so are those of messages: %s', (language) => {
  const render = messageRenderer({ templates: new Map(), language, timeZone: 'UTC' }, {})
  expect(render(sampleEvent('endpoint.disabled')).sentence).toContain(
    "`npx shipbell subscriptions enable erp -c 'my shop.yaml'`",
  )
})

test('so are those of the log, which stays JSON', () => {
  noteStart({ env: {}, configFile: '"q".yaml' })
  const lines: string[] = []
  const write = (line: string): void => void lines.push(line)
  const log = createLogger({ level: 'info', pretty: false, colour: false, secrets: () => [], write })
  log.warn({ problem: 'Start `shipbell run`: all goes on.' }, 'any.trouble')
  expect(JSON.parse(lines.join(''))).toMatchObject({ problem: 'Start `shipbell run -c \'"q".yaml\'`: all goes on.' })
})

test('what was said so already stays as it is, and nothing changes where no -c was given', () => {
  const once = asStarted('`shipbell status` and `shipbell init`')
  expect(once).toBe("`npx shipbell status -c 'my shop.yaml'` and `npx shipbell init`")
  expect(asStarted(once)).toBe(once)
  noteStart({ env: {} })
  expect(asStarted('`shipbell status`')).toBe('`shipbell status`')
  expect(asStartedInJson('{"see":"`shipbell plan`"}')).toBe('{"see":"`shipbell plan`"}')
})
