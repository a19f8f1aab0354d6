import { SECRET } from '../../support/loopback-receiver.ts'
import { Workplace } from '../../support/shipbell.ts'
import { cpuMsAtRest } from '../process-cpu.ts'
import { type Arena, SHIPMENTS, type Side } from './side.ts'

const PAGES = SHIPMENTS / 100
/** So short that no page waits for the budget; passes without a change cost little. */
const EVERY_S = 4

/** The real program. All shipments change between two passes, so that one pass shows it. */
export async function shipbellSide(arena: Arena): Promise<Side> {
  const work = new Workplace()
  work.write('shipbell.yaml', yamlOf(arena.url))
  const daemon = work.start('run')
  await arena.sees(({ asked }) => asked > PAGES)
  return {
    name: 'Shipbell (durable, signed, retried)',
    rounds: 5,
    isNewEachRound: false,
    round: async () => {
      const before = await cpuMsAtRest(daemon.pid)
      await arena.change()
      const { firstAt, lastAt } = await arena.sees(({ told }) => told === SHIPMENTS)
      return { cpuMs: (await cpuMsAtRest(daemon.pid)) - before, wallMs: lastAt - firstAt }
    },
    [Symbol.asyncDispose]: async () => {
      daemon.kill('SIGTERM')
      await daemon.ended
      work[Symbol.dispose]()
    },
  }
}

function yamlOf(url: string): string {
  const hook = `{ url: "${url}/hook", secret: ${SECRET}, events: ["shipment.*"], concurrency: 64 }`
  return `accounts:
  acme:
    base_url: ${url}
    api_key: bench
    budget: { requests: ${PAGES + 2}, per: ${EVERY_S}s, concurrency: 1 }
    watch: { shipments: { every: ${EVERY_S}s } }
subscriptions: { erp: ${hook} }
delivery: { allow_networks: [127.0.0.0/8] }
http: { listen: "127.0.0.1:0" }
`
}
