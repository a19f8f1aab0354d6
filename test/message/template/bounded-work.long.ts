import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { messageOf } from '../../../src/message/message.ts'
import { sampleEvent } from '../../../src/samples/sample-event.ts'
import { OperatorTemplate } from '../../../src/message/template/operator-template.ts'
import { standardPayload } from '../../../src/model/payload.ts'
import { MailDesk } from '../../deliver/channels/email/mail-desk.ts'
import { readMail } from '../../deliver/channels/email/read-mail.ts'

const TYPE = 'shipment.eta_changed'
const PAYLOAD = standardPayload(sampleEvent(TYPE))
const ITEMS = Array.from({ length: 2_000 }, (_, n) => ({ n, text: 'some text' }))

/** A machine so busy that ten seconds pass between any two looks that the template library takes at the clock. */
beforeEach(() => {
  let late = 0
  const clock = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => {
    const isLibrary = new Error('here').stack?.includes('liquidjs') === true
    return clock() + (isLibrary ? (late += 10_000) : 0)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

function render(source: string): { readonly sentence: string; readonly failures: readonly string[] } {
  const failures: string[] = []
  const templates = new Map([[TYPE, new OperatorTemplate('ops.liquid', source)]])
  const payload = { ...PAYLOAD, data: { items: ITEMS } }
  const { sentence } = atEachLook(10_000, () =>
    messageOf(payload, { templates, failed: ({ reason, bound }) => failures.push(`${bound} ${reason}`) }),
  )
  return { sentence, failures }
}

/** Meanwhile nothing but the template library looks at the clock, so that nobody need be told apart: that costs more than a template. */
function atEachLook<T>(lateMs: number, work: () => T): T {
  const clock = performance.now.bind(performance)
  let late = clock()
  performance.now = () => (late += lateMs)
  try {
    return work()
  } finally {
    performance.now = clock
  }
}

it('a busy machine times out no built-in message', async () => {
  expect(messageOf(PAYLOAD).sentence).toContain('Spring collection (SHP-1) moved 3 days later')
  const digest = { atMinutes: 480, timeZone: 'UTC' }
  const desk = await MailDesk.open({ start: '2026-11-20T10:00:00Z', channel: { digest } })
  await desk.ring(3)
  await desk.deliver()
  await desk.deliverAt('2026-11-21T08:00:00Z')
  expect(readMail(desk.server.only).text).toContain('went from draft to booked')
})

it.each([
  ['over a long list', '{% for a in data.items %}{{ a.text | upcase }}{% endfor %}'],
  [
    'over the first of long lists',
    '{% for a in data.items limit: 40 %}{% for b in data.items limit: 3 %}{{ b.text }}{% endfor %}{% endfor %}',
  ],
  [
    'until it is ended',
    '{% for a in data.items %}{% for b in data.items %}{{ b.n }}{% break %}{% endfor %}{% endfor %}',
  ],
  ['with a filter over a list', '{% for a in (1..9) %}{{ data.items | where: "n", a | map: "text" }}{% endfor %}'],
])('nor a template that loops %s', (_name, source) => {
  expect(render(source).failures).toEqual([])
})

const NESTED = (body: string): string =>
  `x{% for a in data.items %}{% for b in data.items %}${body}{% endfor %}{% endfor %}`
it.each([
  ['loops over lists within lists', NESTED('{% for c in data.items %}{% endfor %}')],
  ['loops over ranges', 'x{% for a in (1..9999) %}{% for b in (1..9999) %}{% endfor %}{% endfor %}'],
  ['counts in loops', NESTED('{% assign n = n | plus: 1 %}')],
  ['calls thousands of filters in loops', NESTED(`{% assign n = 1${' | plus: 1'.repeat(5_000)} %}`)],
  ['weighs thousands of conditions in loops', NESTED(`{% if 1 == 1${' and 1 == 1'.repeat(5_000)} %}{% endif %}`)],
  ['filters a list in a loop', 'x{% for a in data.items %}{% assign y = data.items | where: "n", a.n %}{% endfor %}'],
  ['sorts a list thousands of times', `x${'{% assign y = data.items | sort: "text" %}'.repeat(2_000)}`],
  ['writes a list thousands of times', `x${'{% assign y = data.items | json %}'.repeat(2_500)}`],
])('a template that %s is cut by its work alone', (_name, source) => {
  const began = process.threadCpuUsage()
  const { sentence, failures } = render(source)
  const { user } = process.threadCpuUsage(began)
  expect(failures).toEqual([
    expect.stringMatching(/^true ops\.liquid:1:\d+: it goes over more than .* limit exceeded$/),
  ])
  expect(sentence).toBe(messageOf({ ...PAYLOAD, data: { items: ITEMS } }).sentence)
  expect(user / 1_000).toBeLessThan(5_000)
})
