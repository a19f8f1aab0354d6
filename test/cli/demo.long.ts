import { expect, it } from 'vitest'
import { Workplace } from '../support/shipbell.ts'

const LINE = /^\d\d:\d\d:\d\d {2}[a-z_]+\.[a-z_]+ +\S.*$/

it('the demo is one line for each event, a desk that is signed in, and what it came to', async () => {
  using place = new Workplace()
  const demo = place.start('demo')
  const [, link = ''] = await demo.prints(/^desk +(http\S+)$/m)
  for (const type of ['purchase_order.delivery_at_risk', 'expectation.missed'])
    await demo.prints(new RegExp(type.replace('.', String.raw`\.`)))
  for (let clicked = 0; clicked < 2; clicked += 1) {
    const answer = await fetch(link, { redirect: 'manual' })
    expect([answer.status, answer.headers.getSetCookie().length]).toEqual([303, 1])
  }
  expect((await fetch(link.replace(/code=./, 'code=~'), { redirect: 'manual' })).status).toBe(401)
  const cookie = (await fetch(link, { redirect: 'manual' })).headers.getSetCookie().join().split(';')[0] ?? ''
  for (const path of ['/', '/system'])
    expect(await (await fetch(new URL(path, link), { headers: { cookie } })).text()).toContain('its time is simulated')
  demo.kill('SIGINT')
  const { code, stderr, stdout } = await demo.ended
  expect([code, stderr]).toEqual([0, ''])
  const [head = '', ...rest] = stdout.split('\n\n')
  expect(head).toMatch(
    /^platform {3}http:.*\ntime {7}simulated: from Mon, .* 08:00 UTC on, 3000 times faster than life\nreceiver {3}http:.*\ndesk {7}http:.*\nThe desk opens signed in\./,
  )
  const [events = '', summary = ''] = rest
  expect(events.split('\n').filter((line) => !LINE.test(line))).toEqual([])
  const amount = events.split('\n').length
  expect(summary).toMatch(
    new RegExp(`^${amount} events in \\d+s; ${amount} deliveries: each arrived once, every signature verified\\.\n`),
  )
  expect(summary).toMatch(/^ +\d {2}account\.baseline_completed$/m)
})
