import type { CommandContext } from '../../src/cli/command-context.ts'
import { FakeClock } from './fake-clock.ts'

const NOWHERE = { write: () => undefined }

/** What a command may touch of a process that has no environment, and that nobody reads from or ends. */
export function commandContext(given: Partial<CommandContext> = {}): CommandContext {
  return {
    stdout: NOWHERE,
    stderr: NOWHERE,
    env: {},
    cwd: '/',
    clock: new FakeClock(),
    signal: new AbortController().signal,
    onHangUp: () => undefined,
    setExitCode: () => undefined,
    ...given,
  }
}
