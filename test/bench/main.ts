import { benchChaos } from './chaos.ts'
import { benchChangedPass } from './changed-pass.ts'
import { benchDesk } from './desk/bench-desk.ts'
import { benchConnections } from './connections/connections.ts'
import { benchDurableDeliveries } from './durable-deliveries.ts'
import { benchFreshness, benchFreshnessDeliveries, benchFreshnessLong } from './freshness/freshness.ts'
import { benchFootprint } from './footprint/footprint.ts'
import { benchIdle } from './idle.ts'
import { benchIsolation } from './isolation.ts'
import { benchLatency } from './latency.ts'
import { benchNames } from './names.ts'
import { benchOrder } from './order.ts'
import { benchPassGrowth } from './pass-growth.ts'
import { benchPeers } from './peers/bench-peers.ts'
import { benchReplay } from './replay.ts'
import { benchUnchangedPass } from './unchanged-pass.ts'
import { benchWorld } from './world.ts'
import { benchSoak } from './soak/bench-soak.ts'
import { benchYears } from './years/bench-years.ts'

const BENCHES = {
  pass: benchUnchangedPass,
  changes: benchChangedPass,
  growth: benchPassGrowth,
  connections: benchConnections,
  deliveries: benchDurableDeliveries,
  desk: benchDesk,
  footprint: benchFootprint,
  idle: benchIdle,
  latency: benchLatency,
  isolation: benchIsolation,
  names: benchNames,
  replay: benchReplay,
  world: benchWorld,
  chaos: benchChaos,
  order: benchOrder,
  peers: benchPeers,
  soak: benchSoak,
  years: benchYears,
  freshness: benchFreshness,
  'freshness-deliveries': benchFreshnessDeliveries,
  'freshness-long': benchFreshnessLong,
}

/** These take minutes: they run only when they are named. */
const LONG: ReadonlySet<string> = new Set([
  'growth',
  'connections',
  'desk',
  'footprint',
  'idle',
  'latency',
  'isolation',
  'names',
  'replay',
  'world',
  'chaos',
  'order',
  'peers',
  'soak',
  'years',
  'freshness-deliveries',
  'freshness-long',
])

const wanted = process.argv.slice(2)
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length === 0 ? !LONG.has(name) : wanted.includes(name)) console.log(await bench())
}
