import { expect, it } from 'vitest'
import { withBareJson } from '../../src/cli/bare-json.ts'
import { allCommands } from '../docs/reference/all-commands.ts'

it.each([
  ['deliveries retry --json dlv_1 dlv_2', 'deliveries retry --json= dlv_1 dlv_2'],
  ['events show --json evt_1', 'events show --json= evt_1'],
  ['events show --json #7 --account acme', 'events show --json= #7 --account acme'],
  ['subscriptions test --json erp', 'subscriptions test --json= erp'],
  ['subscriptions test -c x.yaml --json erp', 'subscriptions test -c x.yaml --json= erp'],
  ['subscriptions test --json event_id erp', 'subscriptions test --json event_id erp'],
  ['events list --json id,type', 'events list --json id,type'],
  ['events list --json --limit 1', 'events list --json --limit 1'],
  ['status --json', 'status --json'],
  ['status', 'status'],
])('%s is %s', async (given, taken) => {
  expect(withBareJson(await allCommands(), given.split(' ')).join(' ')).toBe(taken)
})
