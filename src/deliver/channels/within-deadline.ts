import type { Clock } from '../../clock.ts'
import { Deadline } from '../../http/deadline.ts'
import { ownLimitOf } from '../../http/own-limits.ts'
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
    return failedWithin(deadline, { timeoutMs, server }, { error, explain })
  }
}

interface Failed {
  readonly error: unknown
  readonly explain: (error: unknown) => SendOutcome
}

/**
 * What an attempt comes to that ended with an error: that of its deadline, unless the deadline was not reached. What is ours to provide
 * and lacks is charged to no endpoint.
 */
export function failedWithin(
  { reached }: Pick<Deadline, 'reached'>,
  { server, timeoutMs }: Pick<Limits, 'server' | 'timeoutMs'>,
  { error, explain }: Failed,
): SendOutcome {
  if (reached === 'abort') return { kind: 'cut' }
  if (reached !== null) return late(server, timeoutMs)
  const lacks = ownLimitOf(error)
  return lacks === null ? explain(error) : { kind: 'cut', lacks }
}

export function late(server: string, timeoutMs: number): SendOutcome {
  return unanswered(`${server} did not answer within ${formatDuration(timeoutMs)}`)
}

export function unanswered(error: string): SendOutcome {
  return { kind: 'failed', status: null, answer: null, error, retryAfterMs: null }
}
