import { describe, expect, test, vi } from 'vitest'
import { LoopbackReceiver, SECRET } from '../support/loopback-receiver.ts'
import { Stage } from './stage.ts'
import { killed, stopped, WAIT } from './workplace.ts'

/** `erp` fails, `ops` hears of it. */
async function world() {
  await using stack = new AsyncDisposableStack()
  const ops = stack.use(await LoopbackReceiver.start())
  const subscriptions = `  ops: { url: "${ops.url}", secret: ${SECRET}, events: ["endpoint.*"] }`
  const { work, receiver: erp } = stack.use(await Stage.open({ subscriptions }))
  erp.answer = () => 500
  const heard = (): readonly string[] =>
    ops.events.map(({ type }) => type).filter((type) => type.startsWith('endpoint.'))
  const opened = stack.move()
  return { work, erp, ops, heard, [Symbol.asyncDispose]: async () => await opened.disposeAsync() }
}

describe.concurrent('the life of an endpoint', () => {
  test('is told by the daemon: failing, exhausted, recovered', async () => {
    await using life = await world()
    const { work } = life
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
    await using life = await world()
    const { work } = life
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
    await using life = await world()
    const { work } = life
    for (let asked = 1; asked <= 5; asked += 1) {
      const daemon = work.start('run')
      await vi.waitFor(() => expect(life.erp.asked).toBeGreaterThanOrEqual(asked), WAIT)
      await killed(daemon)
    }
    const daemon = work.start('run')
    await vi.waitFor(() => expect(life.heard()).toContain('endpoint.exhausted'), WAIT)
    expect(life.heard().filter((type) => type === 'endpoint.exhausted')).toHaveLength(1)
    expect(life.heard().length).toBeLessThanOrEqual(2)
    await stopped(daemon)
  })
})
