import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const MODULE = new URL('../src/disposable-stacks.ts', import.meta.url).href

/** What happens to resources, by the stacks that Node has or by ours. */
function story(isNative: boolean): unknown {
  const program = `
    ${isNative ? '' : `delete globalThis.DisposableStack; delete globalThis.AsyncDisposableStack; (await import('${MODULE}')).bringDisposableStacks()`}
    const said = []
    const plain = new DisposableStack()
    plain.use({ [Symbol.dispose]: () => said.push('used') })
    plain.use(null)
    plain.adopt('adopted', (value) => said.push(value))
    plain.defer(() => said.push('deferred'))
    const moved = plain.move()
    said.push(plain.disposed, moved.disposed)
    moved.dispose()
    moved.dispose()
    try { moved.defer(() => said.push('late')) } catch (error) { said.push(error.name) }
    const failing = new AsyncDisposableStack()
    failing.defer(async () => said.push('first in, last out'))
    failing.defer(async () => { throw new Error('broken') })
    failing.use({ [Symbol.asyncDispose]: async () => said.push('async') })
    failing.use({ [Symbol.dispose]: () => said.push('plain') })
    failing.adopt(7, async (value) => said.push(value))
    await failing.disposeAsync().catch((error) => said.push(error.message))
    const open = new AsyncDisposableStack()
    open.defer(() => said.push('never'))
    { await using closing = open.move(); said.push(closing.disposed) }
    console.log(JSON.stringify(said))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }))
}

test('resources are released where Node has no stacks of them as where it has', () => {
  expect(story(false)).toEqual(story(true))
})
