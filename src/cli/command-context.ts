import type { Clock } from '../clock.ts'

export interface OutputStream {
  write(text: string): void
  /** Holds what is written until it is uncorked; left out: everything is written at once. */
  cork?(): void
  uncork?(): void
  readonly isTTY?: boolean
  readonly columns?: number
  /** false once nobody reads it any more. */
  readonly writable?: boolean
}

/** What a command may touch of the process. */
export interface CommandContext {
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly clock: Clock
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal
  /** What SIGHUP does instead of ending the command. */
  onHangUp(handler: () => void): void
  /** 0 unless set; an error thrown by the command sets its own. */
  setExitCode(code: 0 | 1 | 2 | 3): void
}

/** A sentence of ours whose commands, in backquotes, are as this process was started: `npx shipbell …` where npx did it. */
export function asInvoked(sentence: string, context: Pick<CommandContext, 'env'>): string {
  return sentence.replaceAll('`shipbell ', `\`${programName(context)} `)
}

/** How a person starts the program. */
export function programName({ env }: Pick<CommandContext, 'env'>): string {
  return env.npm_command === 'exec' ? 'npx shipbell' : 'shipbell'
}
