import { expect, it } from 'vitest'
import { program } from '../../src/main.ts'
import { commandContext } from '../support/command-context.ts'

it.each([
  [['frobnicate'], "error: unknown command 'frobnicate'; `shipbell --help` says what there is.\n"],
  [['events', 'show'], "error: missing required argument 'id'; `shipbell events show --help` says what there is.\n"],
  [
    ['listen', '--port', 'x'],
    "error: option '--port <n>' argument 'x' is invalid. A port is a number from 0 to 65535.\n",
  ],
])('says where to look after a mistyped command: %j', async (args, stderr) => {
  const written: string[] = []
  const context = commandContext({
    stdout: { write: (text) => written.push(`stdout ${text}`) },
    stderr: { write: (text) => written.push(text) },
  })
  const root = await program(context, args[0])
  await expect(root.parseAsync(args, { from: 'user' })).rejects.toMatchObject({ exitCode: 1 })
  expect(written).toEqual([stderr])
})
