import { fetchAndDiscard } from './bare-loop.ts'
import { benchPoller } from './bench-poller.ts'
import { medianCpuOf } from './measure.ts'
import { startPeer } from './start-peer.ts'

const SIZES = [1_000, 10_000, 100_000]

/** CPU of a page in a pass that finds nothing changed, beside the same page in a bare loop, as the list grows. */
export async function benchPassGrowth(): Promise<string> {
  const costs: { readonly pass: number; readonly bare: number }[] = []
  for (const size of SIZES) costs.push(await costOfPage(size))
  const [small] = costs
  const large = costs.at(-1)
  const growth = (large?.pass ?? 0) / (small?.pass ?? 1)
  const bareGrowth = (large?.bare ?? 0) / (small?.bare ?? 1)
  const pages = costs.map(({ pass, bare }, at) => `${SIZES[at]}: ${pass.toFixed(0)} (bare ${bare.toFixed(0)})`)
  return `growth of a page's cost, µs CPU: ${pages.join(', ')}: ${growth.toFixed(2)}×, the bare loop's ${bareGrowth.toFixed(2)}×: ${(growth / bareGrowth).toFixed(2)}× (bar 1.15×)`
}

/** In microseconds. */
async function costOfPage(shipments: number): Promise<{ readonly pass: number; readonly bare: number }> {
  using peer = await startPeer(shipments)
  await using poller = benchPoller(peer.url)
  await poller.pass()
  const bare = async (): Promise<void> => fetchAndDiscard(peer.url, shipments)
  const runs = Math.max(5, 100_000 / shipments)
  const [pass, least] = await medianCpuOf([async () => poller.pass(), bare], { runs })
  const pages = shipments / 100 + 1
  return { pass: (pass * 1_000) / pages, bare: (least * 1_000) / pages }
}
