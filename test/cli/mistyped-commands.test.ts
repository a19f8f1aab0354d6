import { expect, it } from 'vitest'
import { program } from '../../src/main.ts'
import { FakeClock } from '../support/fake-clock.ts'

it.each([
  [['frobnicate'], "error: unknown command 'frobnicate'; `shipbell --help` says what there is.\n"],
  [['events', 'show'], "error: missing required argument 'id'; `shipbell events show --help` says what there is.\n"],
  [
    ['listen', '--port', 'x'],
    "error: option '--port <n>' argument 'x' is invalid. A port is a number from 0 to 65535.\n",
  ],
])('says where to look after a mistyped command: %j', async (args, stderr) => {
  const written: string[] = []
  const root = await program(
    {
      stdout: { write: (text) => written.push(`stdout ${text}`) },
      stderr: { write: (text) => written.push(text) },
      env: {},
      cwd: '/',
      clock: new FakeClock(),
      signal: new AbortController().signal,
      onHangUp: () => undefined,
      setExitCode: () => undefined,
    },
    args[0],
  )
  await expect(root.parseAsync(args, { from: 'user' })).rejects.toMatchObject({ exitCode: 1 })
  expect(written).toEqual([stderr])
})
