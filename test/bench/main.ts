import { benchDurableDeliveries } from './durable-deliveries.ts'
import { benchUnchangedPass } from './unchanged-pass.ts'

const BENCHES = { pass: benchUnchangedPass, deliveries: benchDurableDeliveries }

const wanted = process.argv.slice(2)
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length === 0 || wanted.includes(name)) console.log(await bench())
}
