import { eventLine } from './event-line.ts'
import type { ReceivedDelivery } from './receiver.ts'
import { terminalText, type Paint } from './terminal.ts'

/** One received delivery for people: what it says, whether to believe it, whether it came before. Safe for a terminal. */
export function deliveryLine(delivery: ReceivedDelivery, paint: Paint): string {
  const { payload, problem, body, status } = delivery
  const said = body === '' ? '' : `: ${terminalText(body)}`
  const what = problem === null ? eventLine(payload, paint) : `${problem}${said}`
  const notes = [signed(delivery), came(delivery), status === 200 ? null : `answered ${status}`]
  const note = `[${notes.filter((each) => each !== null).join(', ')}]`
  return `${what}  ${paint(isDoubtful(delivery) ? 'red' : 'dim', note)}`
}

function isDoubtful({ problem, signature }: ReceivedDelivery): boolean {
  return problem !== null || signature.kind === 'unsigned' || signature.kind === 'wrong'
}

function signed({ signature }: ReceivedDelivery): string {
  switch (signature.kind) {
    case 'verified':
    case 'unverified':
      return signature.kind
    case 'unsigned':
      return `UNSIGNED: ${terminalText(signature.reason)}`
    case 'wrong':
      return `WRONG SIGNATURE: ${terminalText(signature.reason)}`
    default:
      return signature satisfies never
  }
}

function came({ coming }: ReceivedDelivery): string | null {
  switch (coming.kind) {
    case 'first':
      return null
    case 'retry':
      return `try ${coming.times}`
    case 'duplicate':
      return `DUPLICATE, time ${coming.times}`
    default:
      return coming satisfies never
  }
}
