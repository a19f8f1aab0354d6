import type { AccountSettings } from '../../src/model/account.ts'

/** Shipments only, within a budget that nothing reaches; who uses it adds where they are. */
export const BOUNDLESS_ACCOUNT: AccountSettings = {
  name: 'bench',
  baseUrl: '',
  apiKey: 'bench',
  timeZone: 'UTC',
  budget: { requests: 1_000_000, perMs: 1_000, concurrency: 1, share: 1 },
  timeoutMs: 30_000,
  settleMs: 0,
  firstPoll: 'baseline',
  shipmentIdField: null,
  watch: { shipments: { everyMs: 60_000, ignore: [], milestoneGraceMs: 86_400_000 } },
}
