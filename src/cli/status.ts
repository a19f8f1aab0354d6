import { Command } from 'commander'
import { openConfiguredStore } from '../app.ts'
import { accountJson, writeAccounts } from './account-status.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './config-option.ts'
import { endpointJson, totalsJson, writeEndpoints } from './endpoint-status.ts'
import { writeJson, type JsonOption } from './json-output.ts'

export function statusCommand(context: CommandContext): Command {
  return new Command('status')
    .description(
      'Accounts and their freshness, subscriptions and their backlog, from the store; works while the daemon runs',
    )
    .addOption(configOption())
    .option('--json', 'one JSON document')
    .action(async ({ config, json }: JsonOption & { readonly config: string }) => {
      await using store = openConfiguredStore(config, context, 'read')
      const now = context.clock.now()
      const [accounts, endpoints] = await Promise.all([store.accounts(now), store.endpoints()])
      if (json === true) {
        return writeJson(context, {
          accounts: accounts.map((account) => accountJson(account, now)),
          subscriptions: endpoints.map((endpoint) => endpointJson(endpoint, now)),
          totals: totalsJson(endpoints, now),
        })
      }
      writeAccounts(context, accounts)
      context.stdout.write('\n')
      writeEndpoints(context, endpoints)
    })
}
