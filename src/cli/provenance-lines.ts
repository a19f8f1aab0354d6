import type { Exchange } from '../model/exchange.ts'
import type { Provenance } from '../model/provenance.ts'
import { howKnown, whyThen } from '../report/provenance-words.ts'
import { terminalText } from './terminal.ts'
import { wallTime, withWallTimes } from './wall-clock.ts'

/** How Shipbell came to know, for people: what looked, then its requests. */
export function provenanceLines(provenance: Provenance): readonly string[] {
  const why = whyThen(provenance)
  return [
    ...howKnown(provenance).map(withWallTimes),
    ...provenance.exchanges.map(exchangeLine),
    ...(why === null ? [] : [withWallTimes(why)]),
  ]
}

/** `  GET /v1/shipments?skip=0&take=100  200  sent …, answered … (132 ms, 41 kB)` */
function exchangeLine({ method, path, sentAt, answeredAt, status, bytes }: Exchange): string {
  const times = `sent ${wallTime(sentAt)}, answered ${wallTime(answeredAt)} (${answeredAt - sentAt} ms, ${size(bytes)})`
  return `  ${terminalText(method)} ${terminalText(path)}  ${status ?? 'no answer'}  ${times}`
}

function size(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${Math.round(bytes / 1_000)} kB`
}
