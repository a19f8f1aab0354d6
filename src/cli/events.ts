import { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { eventsListCommand } from './events-list.ts'
import { eventsShowCommand } from './events-show.ts'
import { eventsTypesCommand } from './events-types.ts'

export function eventsCommand(context: CommandContext): Command {
  return new Command('events')
    .description('The event log and the catalogue of event types')
    .addCommand(eventsListCommand(context))
    .addCommand(eventsShowCommand(context))
    .addCommand(eventsTypesCommand(context))
}
