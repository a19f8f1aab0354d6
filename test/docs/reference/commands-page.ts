import type { Command } from 'commander'
import { allCommands } from './all-commands.ts'

/** Every command with its `--help`. */
export async function commandsPage(): Promise<string> {
  const root = await allCommands()
  const sections = visibleCommands(root).map(
    ({ name, command }) => `## shipbell ${name}\n\n\`\`\`text help\n${command.helpInformation().trimEnd()}\n\`\`\`\n`,
  )
  return `${HEAD}\n${sections.join('\n')}`
}

const HEAD = `# Commands

Every command with its \`--help\`; \`npm run docs\` writes this page. In a clone, write \`npx shipbell\` for \`shipbell\`.

- A command that reads a configuration takes \`-c FILE\`; the default is \`shipbell.yaml\` in the current folder.
- A command that reports takes \`--json\` and then prints one JSON document; [json-output.md](json-output.md) names its fields.
- \`--verbose\` adds the stack trace of an error.
- [errors.md](errors.md) lists the exit codes.
`

export interface NamedCommand {
  /** As it is typed: \`events list\`. */
  readonly name: string
  readonly command: Command
}

export function visibleCommands(root: Command, prefix = ''): readonly NamedCommand[] {
  return root
    .createHelp()
    .visibleCommands(root)
    .flatMap((command) => {
      const name = `${prefix}${command.name()}`
      return command.name() === 'help' ? [] : [{ name, command }, ...visibleCommands(command, `${name} `)]
    })
}
