import { accountJson, accountsInNeed } from '../report/account.ts'
import { endpointJson, totalsJson } from '../report/endpoint.ts'
import { Command } from 'commander'
import { openConfiguredStore } from '../app/configured-store.ts'
import { freshnessOf } from '../app/freshness.ts'
import type { Config } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import { writeAccounts } from './account-status.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { writeEndpoints } from './endpoint-status.ts'
import { writeFreshness } from './freshness-status.ts'
import { writeJson, type JsonOption } from './json-output.ts'
import { painter, terminalText } from './terminal.ts'

export function statusCommand(context: CommandContext): Command {
  return new Command('status')
    .description(
      'Accounts and their freshness, subscriptions and their backlog, from the store; works while the daemon runs',
    )
    .addOption(configOption())
    .option('--json', 'one JSON document')
    .action(async ({ config: file, json }: JsonOption & { readonly config: string }) => {
      await using store = openConfiguredStore(file, context, 'read')
      const now = context.clock.now()
      const [accounts, endpoints] = await Promise.all([store.accounts(now), store.endpoints()])
      const config = readableConfig(file, context)
      const names = accounts.map(({ account }) => account)
      const fresh = await freshnessOf(names, { store, config, now })
      const needs = accountsInNeed(accounts)
      if (needs.length > 0) context.setExitCode(1)
      if (json === true) {
        return writeJson(context, {
          accounts: accounts.map((account, nth) => accountJson(account, { now, fresh: fresh[nth] })),
          subscriptions: endpoints.map((endpoint) => endpointJson(endpoint, now)),
          totals: totalsJson(endpoints, now),
        })
      }
      writeNeeds(context, needs)
      writeAccounts(context, accounts)
      writeFreshness(context, fresh)
      context.stdout.write('\n')
      writeEndpoints(context, endpoints)
    })
}

/** What waits for a person comes first. */
function writeNeeds(context: CommandContext, needs: readonly string[]): void {
  if (needs.length === 0) return
  const paint = painter(context)
  context.stdout.write('Needs a person:\n')
  for (const need of needs) context.stdout.write(`  ${paint('red', terminalText(need))}\n`)
  context.stdout.write('\n')
}

/** Status is from the store and needs no secret: what only the configuration can say is left out where it cannot be read. */
function readableConfig(file: string, context: CommandContext): Config | null {
  return loadConfig(file, context).config
}
