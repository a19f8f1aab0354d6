import { expect, it } from 'vitest'
import { program, wholeProgram } from '../../src/main.ts'
import { FakeClock } from '../support/fake-clock.ts'

const CONTEXT = {
  stdout: { write: () => true },
  stderr: { write: () => true },
  env: {},
  cwd: '/',
  clock: new FakeClock(),
  signal: new AbortController().signal,
  onHangUp: () => undefined,
  setExitCode: () => undefined,
}

it('the help says the same of commands that are not loaded', async () => {
  const [listed, whole] = [await program(CONTEXT, undefined), await wholeProgram(CONTEXT)]
  expect(listed.helpInformation()).toBe(whole.helpInformation())
})
