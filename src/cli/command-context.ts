import type { Clock } from '../clock.ts'
import { asInvokedBy } from '../invocation.ts'

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
  /** Writes what is no text to standard output; left out: nobody reads it. */
  readonly writeBytes?: (bytes: Uint8Array) => void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** The file that was given with `-c`, as it was given; left out: none was. */
  readonly configFile?: string | undefined
  readonly clock: Clock
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal
  /** What SIGHUP does instead of ending the command. */
  onHangUp(handler: () => void): void
  /** 0 unless set; an error thrown by the command sets its own. */
  setExitCode(code: 0 | 1 | 2 | 3): void
}

/** A sentence of ours whose commands can be pasted: see `asInvokedBy`. */
export function asInvoked(sentence: string, context: Pick<CommandContext, 'env' | 'configFile'>): string {
  return asInvokedBy(sentence, context)
}

/** The file of `-c FILE` among the words of a command line; undefined: none is named. */
export function configFileIn(words: readonly string[]): string | undefined {
  const ours = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  const nth = ours.findLastIndex((word) => /^-c|^--config(?:=|$)/.test(word))
  const word = ours[nth]
  if (word === undefined) return undefined
  return word === '-c' || word === '--config' ? ours[nth + 1] : word.replace(/^-c|^--config=/, '')
}
