import type { Clock } from '../../clock.ts'
import { Deadline } from '../../http/deadline.ts'
import { formatDuration } from '../../model/duration.ts'
import type { SendOutcome } from './channel.ts'

interface Limits {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly shutdown: AbortSignal
  /** Who is to answer, as the operator would say it. */
  readonly server: string
}

/** One attempt within one deadline, cut short by shutdown. Whatever `send` throws is what the endpoint or the network did. */
export async function withinDeadline(
  { clock, timeoutMs, shutdown, server }: Limits,
  send: (deadline: Deadline) => Promise<SendOutcome>,
  explain: (error: unknown) => SendOutcome,
): Promise<SendOutcome> {
  if (shutdown.aborted) return { kind: 'cut' }
  using deadline = new Deadline({ clock, timeoutMs, signal: shutdown })
  try {
    return await send(deadline)
  } catch (error) {
    return failedWithin(deadline, { timeoutMs, server }, () => explain(error))
  }
}

/** What an attempt comes to that ended with an error: that of its deadline, unless the deadline was not reached. */
export function failedWithin(
  { reached }: Pick<Deadline, 'reached'>,
  { server, timeoutMs }: Pick<Limits, 'server' | 'timeoutMs'>,
  explain: () => SendOutcome,
): SendOutcome {
  if (reached === 'abort') return { kind: 'cut' }
  return reached === null ? explain() : late(server, timeoutMs)
}

export function late(server: string, timeoutMs: number): SendOutcome {
  return unanswered(`${server} did not answer within ${formatDuration(timeoutMs)}`)
}

export function unanswered(error: string): SendOutcome {
  return { kind: 'failed', status: null, answer: null, error, retryAfterMs: null }
}
