import type { Argument, Command, Option } from 'commander'
import { allCommands } from './all-commands.ts'
import { visibleCommands } from './commands-page.ts'

/** What a shell may complete, and what the help lists: no command is loaded at a Tab, or to list them. */
export async function completionTree(): Promise<string> {
  const root = await allCommands()
  const commands = [{ name: '', command: root }, ...visibleCommands(root)]
  return JSON.stringify(commands.map(({ name, command }) => commandNode(name, command)))
}

function commandNode(name: string, command: Command) {
  const options = command.createHelp().visibleOptions(command)
  return {
    command: name,
    description: command.description(),
    options: options.map(optionNode),
    arguments: command.registeredArguments.map(argumentNode),
  }
}

function optionNode({ argChoices = [], description, flags, long, short }: Option) {
  return {
    long: long?.slice(2) ?? '',
    short: short?.slice(1) ?? '',
    description,
    // `--json [fields]` does well without a value, so that none is waited for.
    value: /<([^>.]+)/.exec(flags)?.[1] ?? '',
    choices: argChoices,
  }
}

function argumentNode(argument: Argument) {
  return {
    name: argument.name(),
    isRequired: argument.required,
    isVariadic: argument.variadic,
    choices: argument.argChoices ?? [],
  }
}
