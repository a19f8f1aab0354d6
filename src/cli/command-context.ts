import type { Clock } from '../clock.ts'
import { printable, shellWord } from '../printable.ts'

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
  /** As it was given with `-c`; left out: none was. */
  readonly configFile?: string | undefined
  readonly clock: Clock
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal
  /** What SIGHUP does instead of ending the command. */
  onHangUp(handler: () => void): void
  /** 0 unless set; an error thrown by the command sets its own. */
  setExitCode(code: 0 | 1 | 2 | 3): void
}

type Invoked = Pick<CommandContext, 'env' | 'configFile'>

/**
 * A sentence of ours whose commands, in backquotes, can be pasted: they are as this process was started (`npx shipbell …` where npx did
 * it), and name the configuration that it was given.
 */
export function asInvoked(sentence: string, context: Invoked): string {
  const program = programName(context)
  return sentence.replaceAll(
    /`shipbell ([^`\n]*)(`?)/g,
    (_, command: string, end: string) => `\`${program} ${end === '' ? command : withConfig(command, context)}${end}`,
  )
}

/** Commands for which a configuration changes nothing. */
const WITHOUT_CONFIG = /^(?:init|listen|sandbox|demo|completion|schema|events types)\b|--help|(?:^| )-c /

function withConfig(command: string, { configFile }: Invoked): string {
  if (configFile === undefined || WITHOUT_CONFIG.test(command)) return command
  const [, asked = '', rest = ''] = /^(.*?)((?: [|>].*)?)$/.exec(command) ?? []
  return `${asked} -c ${shellWord(printable(configFile))}${rest}`
}

/** The file of `-c FILE` among the words of a command line; undefined: none is named. */
export function configFileIn(words: readonly string[]): string | undefined {
  const ours = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  const nth = ours.findLastIndex((word) => /^-c|^--config(?:=|$)/.test(word))
  const word = ours[nth]
  if (word === undefined) return undefined
  return word === '-c' || word === '--config' ? ours[nth + 1] : word.replace(/^-c|^--config=/, '')
}

/** How a person starts the program. */
export function programName({ env }: Pick<CommandContext, 'env'>): string {
  return env.npm_command === 'exec' ? 'npx shipbell' : 'shipbell'
}
