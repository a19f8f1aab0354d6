import { benchChaos } from './chaos.ts'
import { benchBacklog } from './burst/bench-backlog.ts'
import { benchBeside, benchRules } from './burst/bench-beside.ts'
import { benchBurst } from './burst/bench-burst.ts'
import { benchChanges } from './burst/bench-changes.ts'
import { benchDesk } from './desk/bench-desk.ts'
import { benchDiff } from './diff/bench-diff.ts'
import { benchConnections } from './connections/connections.ts'
import { benchFreshness, benchFreshnessDeliveries, benchFreshnessLong } from './freshness/freshness.ts'
import { benchFootprint } from './footprint/footprint.ts'
import { benchHostile } from './hostile.ts'
import { benchIdle } from './idle.ts'
import { benchIsolation } from './isolation.ts'
import { benchLatency } from './latency.ts'
import { benchMany } from './many/bench-many.ts'
import { benchNames } from './names.ts'
import { benchOrder } from './order.ts'
import { benchPass } from './pass/bench-pass.ts'
import { benchPassGrowth } from './pass-growth.ts'
import { benchPeers } from './peers/bench-peers.ts'
import { benchComplete, benchCompleteWorkers } from './proofs/bench-complete.ts'
import { benchFull } from './proofs/bench-full.ts'
import { benchOwned, benchOwnedWorkers } from './proofs/bench-owned.ts'
import { benchReplay } from './replay.ts'
import { benchWindow } from './window.ts'
import { benchWorld } from './world.ts'
import { benchSoak } from './soak/bench-soak.ts'
import { benchScale, benchScaleStores, benchScaleWorkers } from './scale/bench-scale.ts'
import { benchScaleClaims } from './scale/claims.ts'
import { benchWalk } from './walk.ts'
import { benchWorkers } from './workers/bench-workers.ts'
import { benchYears } from './years/bench-years.ts'

const BENCHES = {
  pass: benchPass,
  burst: benchBurst,
  changes: benchChanges,
  backlog: benchBacklog,
  beside: benchBeside,
  rules: benchRules,
  growth: benchPassGrowth,
  connections: benchConnections,
  desk: benchDesk,
  diff: benchDiff,
  footprint: benchFootprint,
  idle: benchIdle,
  latency: benchLatency,
  isolation: benchIsolation,
  many: benchMany,
  names: benchNames,
  replay: benchReplay,
  window: benchWindow,
  world: benchWorld,
  hostile: benchHostile,
  chaos: benchChaos,
  order: benchOrder,
  peers: benchPeers,
  scale: benchScale,
  'scale-workers': benchScaleWorkers,
  'scale-stores': benchScaleStores,
  'scale-claims': benchScaleClaims,
  soak: benchSoak,
  walk: benchWalk,
  workers: benchWorkers,
  years: benchYears,
  complete: benchComplete,
  'complete-workers': benchCompleteWorkers,
  'start-full': benchFull,
  owned: benchOwned,
  'owned-workers': benchOwnedWorkers,
  freshness: benchFreshness,
  'freshness-deliveries': benchFreshnessDeliveries,
  'freshness-long': benchFreshnessLong,
}

/** These take minutes: they run only when they are named. */
const LONG: ReadonlySet<string> = new Set([
  'burst',
  'backlog',
  'beside',
  'rules',
  'growth',
  'connections',
  'desk',
  'diff',
  'footprint',
  'idle',
  'latency',
  'isolation',
  'many',
  'names',
  'replay',
  'window',
  'world',
  'hostile',
  'chaos',
  'order',
  'peers',
  'scale',
  'scale-workers',
  'scale-stores',
  'scale-claims',
  'soak',
  'walk',
  'workers',
  'years',
  'complete',
  'complete-workers',
  'start-full',
  'owned',
  'owned-workers',
  'freshness-deliveries',
  'freshness-long',
])

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length === 0 ? !LONG.has(name) : wanted.includes(name)) console.log(await bench())
}
