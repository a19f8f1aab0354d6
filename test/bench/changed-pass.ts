import { fetchAndParse, turnThePeer } from './bare-loop.ts'
import { benchPoller } from './bench-poller.ts'
import { medianCpuOf } from './measure.ts'
import { startPeer } from './start-peer.ts'

const SHIPMENTS = 10_000
const RUNS = 9

/** CPU of a pass that finds every tenth record of every page changed, beside a bare loop that parses the same pages. */
export async function benchChangedPass(): Promise<string> {
  using peer = await startPeer(SHIPMENTS)
  await using poller = benchPoller(peer.url)
  await poller.pass()
  const bare = async (): Promise<void> => fetchAndParse(peer.url, SHIPMENTS)
  const between = async (): Promise<void> => turnThePeer(peer.url)
  const [pass, least] = await medianCpuOf([async () => poller.pass(), bare], { runs: RUNS, between })
  const ratio = (pass / least).toFixed(2)
  return `pass with 10 % changed, ${SHIPMENTS} shipments: ${pass.toFixed(0)} ms CPU against ${least.toFixed(0)} ms bare: ${ratio}× (bar 2.5×, aim 1.8×)`
}
