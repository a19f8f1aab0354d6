import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { printable, shellWord } from './printable.ts'

/** How a person started the program. */
export interface Invocation {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The file that was given with `-c`, as it was given; left out: none was. */
  readonly configFile?: string | undefined
}

/** What is written before the words of a command, and behind them. */
interface Started {
  readonly program: string
  /** One word for a shell; null: no configuration was named. */
  readonly config: string | null
}

/** Threads hear of it as well, if they are begun after it was said. */
const PROGRAM = 'shipbell.program'
const CONFIG = 'shipbell.config'

/** Notes how this process was started. */
export function noteStart(invocation: Invocation): void {
  const { config, program } = startedBy(invocation)
  setEnvironmentData(PROGRAM, program)
  setEnvironmentData(CONFIG, config ?? undefined)
}

/**
 * A sentence of ours whose commands, in backquotes, can be pasted: they are as this process was started (`npx shipbell …` where npx did
 * it), and name the configuration that it was given. What was made so already stays as it is.
 */
export function asStarted(sentence: string): string {
  return sentence.includes('`shipbell ') ? replaced(sentence, started()) : sentence
}

/** A line of JSON that holds sentences of ours, with commands as `asStarted` writes them. */
export function asStartedInJson(line: string): string {
  if (!line.includes('`shipbell ')) return line
  const { config, program } = started()
  return replaced(line, { program, config: config === null ? null : JSON.stringify(config).slice(1, -1) })
}

/** A sentence of ours with commands as a program was started. */
export function asInvokedBy(sentence: string, invocation: Invocation): string {
  return replaced(sentence, startedBy(invocation))
}

/** How a person starts the program. */
export function programName({ env }: Pick<Invocation, 'env'>): string {
  return env.npm_command === 'exec' ? 'npx shipbell' : 'shipbell'
}

function started(): Started {
  const [program, config] = [getEnvironmentData(PROGRAM), getEnvironmentData(CONFIG)]
  return {
    program: typeof program === 'string' ? program : 'shipbell',
    config: typeof config === 'string' ? config : null,
  }
}

function startedBy({ configFile, env }: Invocation): Started {
  const config = configFile === undefined ? null : shellWord(printable(configFile))
  return { program: programName({ env }), config }
}

function replaced(sentence: string, { config, program }: Started): string {
  return sentence.replaceAll(
    /`shipbell ([^`\n]*)(`?)/g,
    (_, command: string, end: string) => `\`${program} ${end === '' ? command : withConfig(command, config)}${end}`,
  )
}

/** Commands for which a configuration changes nothing. */
const WITHOUT_CONFIG = /^(?:init|listen|sandbox|demo|completion|schema|events types)\b|--help|(?:^| )-c /

function withConfig(command: string, config: string | null): string {
  if (config === null || WITHOUT_CONFIG.test(command)) return command
  const [, asked = '', rest = ''] = /^(.*?)((?: [|>].*)?)$/.exec(command) ?? []
  return `${asked} -c ${config}${rest}`
}
