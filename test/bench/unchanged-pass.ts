import { fetchAndDiscard } from './bare-loop.ts'
import { benchPoller } from './bench-poller.ts'
import { medianCpuOf } from './measure.ts'
import { startPeer } from './start-peer.ts'

const SHIPMENTS = 10_000
const RUNS = 15

/** CPU of a pass that finds nothing changed, beside a bare loop that fetches the same pages and throws them away. */
export async function benchUnchangedPass(): Promise<string> {
  using peer = await startPeer(SHIPMENTS)
  await using poller = benchPoller(peer.url)
  await poller.pass()
  const bare = async (): Promise<void> => fetchAndDiscard(peer.url, SHIPMENTS)
  const [pass, least] = await medianCpuOf([async () => poller.pass(), bare], { runs: RUNS })
  const ratio = (pass / least).toFixed(2)
  return `unchanged pass, ${SHIPMENTS} shipments: ${pass.toFixed(0)} ms CPU against ${least.toFixed(0)} ms bare: ${ratio}× (bar 1.6×, aim 1.2×)`
}
