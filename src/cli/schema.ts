import { Command } from 'commander'
import { configJsonSchema } from '../config/json-schema.ts'
import { nearestName } from '../config/nearest-name.ts'
import { ShipbellError } from '../errors.ts'
import { EVENT_CATALOGUE } from '../model/event-catalogue.ts'
import { asyncApiDocument } from '../model/payload-schema/async-api.ts'
import { allEventsDocument, eventDocument } from '../model/payload-schema/event-documents.ts'
import { readVersion } from '../version.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'

export function schemaCommand(context: CommandContext): Command {
  const print = (document: object): void => {
    context.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
  }
  return new Command('schema')
    .description('JSON Schema of the configuration and of events, for editors, validators and code generators')
    .addCommand(
      part('config')
        .description('JSON Schema (draft-07) of the configuration, for editors')
        .action(() => print(configJsonSchema())),
    )
    .addCommand(
      part('events')
        .description('JSON Schema (2020-12) of the payload of every event')
        .argument('[type]', 'of this event type alone')
        .action((type: string | undefined) => print(type === undefined ? allEventsDocument() : ofType(type))),
    )
    .addCommand(
      part('asyncapi')
        .description('An AsyncAPI 3.0 document of all events')
        .action(() => print(asyncApiDocument(readVersion()))),
    )
}

/** A command that takes the configuration, as every command does, and reads none. */
function part(name: string): Command {
  return new Command(name).addOption(configOption().hideHelp())
}

function ofType(name: string): object {
  const types = EVENT_CATALOGUE.map(({ type }) => type)
  const type = types.find((each) => each === name)
  if (type !== undefined) return eventDocument(type)
  const nearest = nearestName(name, types)
  const hint = nearest === undefined ? '`shipbell events types` lists them.' : `did you mean ${nearest}?`
  throw new ShipbellError('usage', `There is no event type ${JSON.stringify(name)}: ${hint}`)
}
