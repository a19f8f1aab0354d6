import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { program, wholeProgram } from '../../src/main.ts'
import { commandContext } from '../support/command-context.ts'

const CONTEXT = commandContext()

it('the help says the same of commands that are not loaded', async () => {
  const [listed, whole] = [await program(CONTEXT, undefined), await wholeProgram(CONTEXT)]
  expect(listed.helpInformation()).toBe(whole.helpInformation())
})

it('every command takes `-c FILE`, those that read no configuration, too', async () => {
  const leaves = (command: Command, name: string): readonly string[] =>
    command.commands.length === 0
      ? command.options.some(({ short, long }) => short === '-c' && long === '--config')
        ? []
        : [name]
      : command.commands.flatMap((child) => leaves(child, `${name} ${child.name()}`))
  expect(leaves(await wholeProgram(CONTEXT), 'shipbell')).toEqual([])
})
