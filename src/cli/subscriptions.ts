import { endpointJson, whyShut } from '../report/endpoint.ts'
import { snapshotsByName } from '../report/snapshot-run.ts'
import { Command } from 'commander'
import { openConfiguredStore } from '../operate/open-configured-store.ts'
import type { JsonObject } from '../model/json.ts'
import { disableEndpoint, discardHeld, enableEndpoint } from '../operate/change-endpoint.ts'
import type { EndpointOverview } from '../store/ports/query-port.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { writeEndpointNotes, writeEndpoints, writeSnapshotNotes } from './endpoint-status.ts'
import { jsonOption, jsonOutput, report, templateOption, type JsonOptions } from './json-output.ts'
import { requireEndpoint } from './require-named.ts'
import { subscriptionsFeedCommand } from './subscriptions-feed.ts'
import { subscriptionsKeysCommand } from './subscriptions-keys.ts'
import { subscriptionsPreviewCommand } from './subscriptions-preview.ts'
import { subscriptionsSnapshotCommand } from './subscriptions-snapshot.ts'
import { subscriptionsTestCommand } from './subscriptions-test.ts'
import { onWallClock, zoneOption } from './wall-clock.ts'

interface Options extends JsonOptions {
  readonly config: string
  readonly discard?: true
}

export function subscriptionsCommand(context: CommandContext): Command {
  return new Command('subscriptions')
    .description('Who hears what: health and held events')
    .addCommand(listCommand(context))
    .addCommand(enableCommand(context))
    .addCommand(disableCommand(context))
    .addCommand(discardCommand(context))
    .addCommand(subscriptionsFeedCommand(context))
    .addCommand(subscriptionsSnapshotCommand(context))
    .addCommand(subscriptionsKeysCommand(context))
    .addCommand(subscriptionsTestCommand(context))
    .addCommand(subscriptionsPreviewCommand(context))
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('Every subscription that the store knows')
    .addOption(configOption())
    .addOption(jsonOption())
    .addOption(templateOption())
    .addOption(zoneOption())
    .action(
      onWallClock(context, async ({ config, ...options }: Options) => {
        const json = jsonOutput(context, options)
        await using store = await openConfiguredStore(config, context, 'read')
        const endpoints = await store.endpoints()
        const now = context.clock.now()
        const runs = await store.snapshotRuns({ which: 'last' })
        const runOf = snapshotsByName(runs)
        const shown = (each: EndpointOverview): JsonObject => endpointJson(each, now, runOf.get(each.subscription))
        if (json !== null) return json.document(endpoints.map(shown))
        writeEndpoints(context, endpoints)
        writeEndpointNotes(context, endpoints)
        writeSnapshotNotes(context, runs)
      }),
    )
}

function enableCommand(context: CommandContext): Command {
  return named(
    'enable',
    'Enable one that a command, a 410 or days of failures disabled, and release its held events in order',
  )
    .option('--discard', 'drop its held events instead')
    .action(async (name: string, { config, discard, ...options }: Options) => {
      await using store = await openConfiguredStore(config, context, 'write')
      const endpoint = await requireEndpoint(store, name)
      const moved = await enableEndpoint({ ...context, store, subscription: name }, discard === true)
      const done = discard === true ? 'discarded' : 'released'
      const said = `${enabled(endpoint)} ${events(moved)} ${done}.`
      report(context, { options, said, document: { subscription: name, [done]: moved } })
    })
}

function enabled(endpoint: EndpointOverview): string {
  const shut = whyShut(endpoint)
  return `${endpoint.subscription} ${shut === null ? 'is enabled' : `${shut}, so its events stay held`};`
}

function disableCommand(context: CommandContext): Command {
  return named('disable', 'Disable one: its events are held').action(
    async (name: string, { config, ...options }: Options) => {
      await using store = await openConfiguredStore(config, context, 'write')
      await requireEndpoint(store, name)
      await disableEndpoint({ ...context, store, subscription: name }, 'by command')
      const said = `${name} is disabled; its events are held until \`shipbell subscriptions enable ${name}\`.`
      report(context, { options, said, document: { subscription: name, disabled: true } })
    },
  )
}

function discardCommand(context: CommandContext): Command {
  return named('discard', 'Drop the held events of one').action(
    async (name: string, { config, ...options }: Options) => {
      await using store = await openConfiguredStore(config, context, 'write')
      await requireEndpoint(store, name)
      const moved = await discardHeld({ ...context, store, subscription: name })
      report(context, {
        options,
        said: `${name}: ${events(moved)} discarded.`,
        document: { subscription: name, discarded: moved },
      })
    },
  )
}

function named(command: string, description: string): Command {
  return new Command(command)
    .description(description)
    .argument('<name>', 'the subscription')
    .addOption(configOption())
    .addOption(jsonOption())
    .addOption(templateOption())
}

function events(amount: number): string {
  return `${amount} held event${amount === 1 ? '' : 's'}`
}
