import type { Command } from 'commander'

const JSON_OPTION = '--json'
/** What no field is called. */
const ID = /^(?:evt_|dlv_|#)/

/**
 * The words of a command line, where `--json` takes the next one as names of fields only if it is no argument of the command:
 * `deliveries retry --json dlv_1` and `subscriptions test --json erp` ask for everything.
 */
export function withBareJson(root: Command, words: readonly string[]): readonly string[] {
  const at = words.indexOf(JSON_OPTION)
  const next = words[at + 1]
  if (at < 0 || next === undefined || next.startsWith('-')) return words
  return ID.test(next) || isLacking(root, words) ? words.with(at, `${JSON_OPTION}=`) : words
}

/** Whether the command gets too few arguments, with what follows `--json` taken as fields. */
function isLacking(root: Command, words: readonly string[]): boolean {
  let command = root
  let given = 0
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const option = command.options.find(({ long, short }) => word === long || word === short)
    if (option !== undefined) at += option.required || word === JSON_OPTION ? 1 : 0
    else if (!word.startsWith('-')) {
      const child = given === 0 ? command.commands.find((each) => each.name() === word) : undefined
      if (child === undefined) given += 1
      else command = child
    }
  }
  return given < command.registeredArguments.filter(({ required }) => required).length
}
