import { Command } from 'commander'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { eventMissing, requireEvent } from './require-event.ts'
import { eventStoryJson, eventTrace } from '../report/event-story.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { writeEventStory } from './write-event-story.ts'
import { onWallClock, zoneOption } from './wall-clock.ts'

interface ShowOptions extends JsonOptions {
  readonly config: string
  readonly account?: string
  readonly verbose?: true
}

export function eventsShowCommand(context: CommandContext): Command {
  return new Command('show')
    .description('Explain an event: what changed, the rule, the pass and request that saw it, every delivery attempt')
    .argument('<id>', 'the event: its id (evt_…), the beginning of it, or #SEQUENCE')
    .addOption(configOption())
    .option('--account <name>', 'the account of the event')
    .addOption(jsonOption())
    .addOption(templateOption())
    .option('--verbose', 'the whole records too; stack traces of errors')
    .addOption(zoneOption())
    .action(
      onWallClock(context, async (name: string, _options: ShowOptions, command: Command) => {
        // Every level of commands has --verbose: the outermost one takes it.
        const { account, config, verbose, ...options } = command.optsWithGlobals<ShowOptions>()
        const json = jsonOutput(context, options)
        await using store = await openConfiguredStore(config, context, 'read')
        const id = await requireEvent(store, { name, account })
        const trace = await eventTrace(store, id)
        if (trace === null) throw await eventMissing(store, name)
        if (json !== null) json.document(eventStoryJson(trace))
        else writeEventStory(context, trace, { records: verbose === true })
      }),
    )
}
