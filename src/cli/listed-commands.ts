import { Command } from 'commander'
import tree from './completion-tree.json' with { type: 'json' }

/** The commands as the help lists them; none of them is loaded, and none does anything. */
export function listedCommands(): readonly Command[] {
  return tree
    .filter(({ command }) => /^\w+$/.test(command))
    .map(({ arguments: values, command: name, description }) => {
      const command = new Command(name).description(description)
      for (const { isRequired, name: value } of values) command.argument(isRequired ? `<${value}>` : `[${value}]`)
      return command
    })
}
