import type { CommandContext } from './command-context.ts'

/** A sentence of ours whose commands, in backquotes, are as this process was started: `npx shipbell …` where npx did it. */
export function asInvoked(sentence: string, context: Pick<CommandContext, 'env'>): string {
  return sentence.replaceAll('`shipbell ', `\`${programName(context)} `)
}

/** How a person starts the program. */
export function programName({ env }: Pick<CommandContext, 'env'>): string {
  return env.npm_command === 'exec' ? 'npx shipbell' : 'shipbell'
}
