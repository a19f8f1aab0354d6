import { openAt } from './open-at.ts'
import { batch, sampleEvent, sampleState, T, write } from './samples.ts'

/** A child process of `crash.ts`: commits one batch after another to the store it is given, until it is killed. */
const store = await openAt(process.argv[2] ?? '')
const [account] = await store.accounts(0)
await store.syncSubscriptions([{ name: 'erp', enabled: true }], T)
const list = await store.startPass('acme', 'shipment', T)
for (let n = (account?.lastSequence ?? 0) / 2; ; n += 1) {
  const ids = [`evt_${n}_a`, `evt_${n}_b`]
  const seen = { n, text: 'x'.repeat(20_000) }
  await store.commit(
    batch({
      records: [write(sampleState(`SHP-${n}`, { seen, reported: seen, version: 2, lastEventId: ids[1] ?? null }))],
      events: ids.map((id) =>
        sampleEvent(id, {
          object: seen,
          subject: { resource: 'shipment', id: `SHP-${n}`, version: 1, previousEventId: null },
        }),
      ),
      deliveries: ids.map((eventId) => ({ eventId, subscription: 'erp' })),
      list: { resource: 'shipment', state: { ...list, largestPage: n + 1 } },
    }),
  )
  process.stdout.write(`${n}\n`)
}
