import type { Exchange } from '../model/exchange.ts'
import { formatInstant } from '../model/instant.ts'
import type { Provenance } from '../model/provenance.ts'
import { howKnown, whyThen } from '../report/provenance-words.ts'
import { terminalText } from './terminal.ts'

/** How Shipbell came to know, for people: what looked, then its requests. */
export function provenanceLines(provenance: Provenance): readonly string[] {
  const why = whyThen(provenance)
  return [...howKnown(provenance), ...provenance.exchanges.map(exchangeLine), ...(why === null ? [] : [why])]
}

/** `  GET /v1/shipments?skip=0&take=100  200  sent …, answered … (132 ms, 41 kB)` */
function exchangeLine({ method, path, sentAt, answeredAt, status, bytes }: Exchange): string {
  const times = `sent ${formatInstant(sentAt)}, answered ${formatInstant(answeredAt)} (${answeredAt - sentAt} ms, ${size(bytes)})`
  return `  ${terminalText(method)} ${terminalText(path)}  ${status ?? 'no answer'}  ${times}`
}

function size(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${Math.round(bytes / 1_000)} kB`
}
