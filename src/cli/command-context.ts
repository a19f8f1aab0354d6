import type { Clock } from '../clock.ts'

export interface OutputStream {
  write(text: string): void
  readonly isTTY?: boolean
  readonly columns?: number
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
