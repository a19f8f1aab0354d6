import { Command } from 'commander'
import type { CommandContext } from './command-context.ts'
import { deliveriesListCommand } from './deliveries-list.ts'
import { deliveriesRetryCommand } from './deliveries-retry.ts'

export function deliveriesCommand(context: CommandContext): Command {
  return new Command('deliveries')
    .description('The ledger: one row for every event and subscription that match')
    .addCommand(deliveriesListCommand(context))
    .addCommand(deliveriesRetryCommand(context))
}
