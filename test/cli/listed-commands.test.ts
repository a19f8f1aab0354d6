import { expect, it } from 'vitest'
import { program, wholeProgram } from '../../src/main.ts'
import { commandContext } from '../support/command-context.ts'

const CONTEXT = commandContext()

it('the help says the same of commands that are not loaded', async () => {
  const [listed, whole] = [await program(CONTEXT, undefined), await wholeProgram(CONTEXT)]
  expect(listed.helpInformation()).toBe(whole.helpInformation())
})
