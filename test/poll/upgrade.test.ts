import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/model/json.ts'
import { Polling, shipment, WATCH } from './polling.ts'

function cargo(weight: number, reference: string | number): JsonObject {
  return { cargo: { weight, po_reference: reference } }
}

test('records written under an older version of the rules are compared by those of today, and ring only what changed', async () => {
  await using polling = new Polling({ watch: { shipments: WATCH.shipments } })
  polling.platform.shipments = [shipment('SHP-1', cargo(0.1 + 0.2, 7)), shipment('SHP-2', cargo(1, 7))]
  await polling.pass()
  const db = new Sqlite(polling.file)
  expect(db.prepare('UPDATE records SET normaliser = 0').run().changes).toBeGreaterThanOrEqual(2)
  db.close()
  await polling.restart()
  polling.platform.shipments = [shipment('SHP-1', cargo(0.3, '7')), shipment('SHP-2', cargo(2, '7'))]
  const rung = await polling.pass()
  expect(rung.map(({ type, subject, changes }) => [type, subject.id, changes?.length])).toEqual([
    ['shipment.cargo_updated', 'SHP-2', 1],
  ])
})
