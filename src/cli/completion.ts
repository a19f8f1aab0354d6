import { script } from '@bomb.sh/tab'
import { Argument, Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** `shipbell completion SHELL`: what a shell reads at its start, so that Tab completes. */
export function completionCommand(context: CommandContext): Command {
  return new Command('completion')
    .description('What completes `shipbell` in a shell: source <(shipbell completion bash)')
    .addArgument(new Argument('<shell>', 'which shell reads it').choices(SHELLS))
    .addOption(configOption().hideHelp())
    .action((shell: (typeof SHELLS)[number]) => {
      if (shell !== 'bash') return script(shell, NAME, NAME)
      context.stdout.write(BASH_BEGIN)
      script(shell, NAME, NAME)
      context.stdout.write(BASH_END)
    })
}

const NAME = 'shipbell'

/**
 * The script reads the words by a function of bash-completion, which not everybody has loaded, and declares constants that a
 * second reading, or another program's script, would declare again.
 */
const BASH_BEGIN = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD
    }
fi
{
`
const BASH_END = `} 2>/dev/null
`
