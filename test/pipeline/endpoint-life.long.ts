import { describe, expect, test, vi } from 'vitest'
import { LoopbackPlatform } from '../support/loopback-platform.ts'
import { LoopbackReceiver, SECRET } from '../support/loopback-receiver.ts'
import { Workplace } from '../support/shipbell.ts'
import { configure, stopped, WAIT } from './workplace.ts'

/** `erp` fails, `ops` hears of it. */
async function world(work: Workplace) {
  const [platform, erp, ops] = [
    await LoopbackPlatform.start(),
    await LoopbackReceiver.start(),
    await LoopbackReceiver.start(),
  ]
  erp.answer = () => 500
  const subscriptions = `  ops: { url: "${ops.url}", secret: ${SECRET}, events: ["endpoint.*"] }`
  configure(work, { platform: platform.url, receiver: erp.url }, { subscriptions })
  const heard = (): readonly string[] =>
    ops.events.map(({ type }) => type).filter((type) => type.startsWith('endpoint.'))
  const stack = new AsyncDisposableStack()
  for (const each of [platform, erp, ops]) stack.use(each)
  return { erp, ops, heard, [Symbol.asyncDispose]: async () => await stack.disposeAsync() }
}

describe.concurrent('the life of an endpoint', () => {
  test('is told by the daemon: failing, exhausted, recovered', async () => {
    using work = new Workplace()
    await using life = await world(work)
    const daemon = work.start('run')
    await vi.waitFor(() => expect(life.heard()).toEqual(['endpoint.failing', 'endpoint.exhausted']), WAIT)
    life.erp.answer = () => 200
    const retried = await work.run('deliveries', 'retry', '--subscription', 'erp', '--since', '1d')
    expect(retried.code).toBe(0)
    await vi.waitFor(() => expect(life.heard()[2]).toBe('endpoint.recovered'), WAIT)
    expect(life.ops.problems).toEqual([])
    expect(life.erp.events.filter(({ type }) => type.startsWith('endpoint.'))).toEqual([])
    await stopped(daemon)
  })

  test('is told by `once`, and delivered in the same run', async () => {
    using work = new Workplace()
    await using life = await world(work)
    life.erp.answer = () => 410
    expect((await work.run('once')).code).toBe(1)
    expect(life.heard()).toEqual(['endpoint.disabled'])
    const { stdout } = await work.run('subscriptions', 'list', '--json')
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'erp', state: 'disabled', disabled: { by: 'gone' }, deliveries: { pending: 0, held: 3 } },
      { name: 'ops' },
    ])
    life.erp.answer = () => 200
    await work.run('subscriptions', 'enable', 'erp')
    expect((await work.run('once')).code).toBe(0)
    expect(life.heard()).toEqual(['endpoint.disabled', 'endpoint.recovered'])
    expect(life.erp.events).toHaveLength(3)
  })

  test('is told once, however often the process is killed meanwhile', async () => {
    using work = new Workplace()
    await using life = await world(work)
    for (let asked = 1; asked <= 5; asked += 1) {
      const daemon = work.start('run')
      await vi.waitFor(() => expect(life.erp.asked).toBeGreaterThanOrEqual(asked), WAIT)
      daemon.kill('SIGKILL')
      await daemon.ended
    }
    const daemon = work.start('run')
    await vi.waitFor(() => expect(life.heard()).toContain('endpoint.exhausted'), WAIT)
    expect(life.heard().filter((type) => type === 'endpoint.exhausted')).toHaveLength(1)
    expect(life.heard().length).toBeLessThanOrEqual(2)
    await stopped(daemon)
  })
})
