import { Command } from 'commander'
import { openConfiguredStore } from '../app/configured-store.ts'
import { ShipbellError } from '../errors.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { eventStoryJson, eventTrace } from '../report/event-story.ts'
import { writeJson, type JsonOption } from './json-output.ts'
import { writeEventStory } from './write-event-story.ts'

interface ShowOptions extends JsonOption {
  readonly config: string
  readonly verbose?: true
}

export function eventsShowCommand(context: CommandContext): Command {
  return new Command('show')
    .description('Explain an event: what changed, the rule, the pass and request that saw it, every delivery attempt')
    .argument('<id>', 'the event (evt_…)')
    .addOption(configOption())
    .option('--json', 'one JSON document')
    .option('--verbose', 'the whole records too; stack traces of errors')
    .action(async (id: string, _options: ShowOptions, command: Command) => {
      // Every level of commands has --verbose: the outermost one takes it.
      const { config, json, verbose } = command.optsWithGlobals<ShowOptions>()
      await using store = openConfiguredStore(config, context, 'read')
      const trace = await eventTrace(store, id)
      if (trace === null) {
        throw new ShipbellError(
          'not_found',
          `There is no event ${JSON.stringify(id)}: \`shipbell events list\` shows them.`,
        )
      }
      if (json === true) writeJson(context, eventStoryJson(trace))
      else writeEventStory(context, trace, { records: verbose === true })
    })
}
