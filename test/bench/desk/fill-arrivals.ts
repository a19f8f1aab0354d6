import Sqlite from 'better-sqlite3'
import { countedArrival, packed } from '../../../src/ledger/arrivals.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

interface Row {
  readonly account: string
  readonly carrier: string
  readonly lane: string
  readonly arrivedAt: number
  readonly first: number
  readonly last: number
}

/** An arrival of half a year for each shipment, up to eight days from the date that was told first, up to four from the last. */
export function fillArrivals(path: string, now: number): void {
  const db = new Sqlite(path)
  db.pragma('synchronous = OFF')
  db.exec(`
    INSERT INTO arrivals (account, shipment, carrier, lane, arrived_at, recorded_at, told)
    SELECT account, id, ifnull(carrier, ''), replace(ifnull(lane, ''), ' → ', '-'), at, at + ${HOUR},
      json_array(json_array(at - (ref % 17 - 8) * ${DAY}, at - 40 * ${DAY}), json_array(at - (ref % 9 - 4) * ${DAY}, at - 20 * ${DAY}))
    FROM (SELECT *, ${now} - ref % 175 * ${DAY} AS at FROM records WHERE resource = 'shipment')`)
  const rows = db
    .prepare<[], Row>(
      `SELECT account, carrier, lane, arrived_at AS arrivedAt, told ->> '$[0][0]' AS first, told ->> '$[1][0]' AS last FROM arrivals`,
    )
    .all()
  const add = db.prepare('INSERT INTO arrival_sums (account, carrier, lane, newest, arrivals) VALUES (?, ?, ?, ?, ?)')
  db.transaction(() => {
    for (const group of Map.groupBy(rows, ({ account, carrier, lane }) =>
      JSON.stringify([account, carrier, lane]),
    ).values()) {
      const [one] = group
      if (one === undefined) continue
      const told = group.map(({ arrivedAt, first, last }) =>
        countedArrival({ arrivedAt, told: [first, last].map((date) => ({ date, at: 0 })) }),
      )
      add.run(one.account, one.carrier, one.lane, now, packed(told))
    }
  })()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}
