import type { Clock } from '../../../clock.ts'
import type { Deadline } from '../../../http/deadline.ts'
import { field, isJsonArray, textField, type Json } from '../../../model/json.ts'
import type { SendOutcome } from '../channel.ts'
import type { HttpAnswer } from '../judge-answer.ts'
import { failedWithin, unanswered } from '../within-deadline.ts'
import { judgeApi, type ApiVerdict } from './judge-api.ts'
import { nextCursor, type ApiMessage, type FoundMessage, type SlackApi } from './slack-api.ts'

/** What became of an attempt that did not come to its end. */
export class Unsent extends Error {
  readonly outcome: SendOutcome

  constructor(outcome: SendOutcome) {
    super('Slack did not take a message')
    this.outcome = outcome
  }
}

/** A message that Slack has. */
export interface Written {
  /** What Slack calls it. */
  readonly ts: string | null
  readonly delivered: SendOutcome
}

interface CallOptions {
  readonly api: SlackApi
  /** The address of the channel, which has to wait where Slack asks for that. */
  readonly address: string
  readonly clock: Clock
  readonly timeoutMs: number
  readonly deadline: Deadline
}

/** Clocks differ, and a message is stamped when it is taken. */
const MARGIN_MS = 5 * 60_000

/** The calls of one attempt. */
export class SlackCalls {
  readonly #options: CallOptions

  constructor(options: CallOptions) {
    this.#options = options
  }

  /** Writes a message: `gone` where what is changed or replied to is not there, else what was not done. Throws where shutdown cuts it. */
  async write(
    method: 'chat.postMessage' | 'chat.update',
    message: ApiMessage,
  ): Promise<Written | Exclude<ApiVerdict, { kind: 'done' }>> {
    const { api, deadline } = this.#options
    const verdict = await this.#judged(method, async () => await api.write(method, message, deadline))
    return verdict.kind === 'done' ? { ts: textField(verdict.answer, 'ts'), delivered: verdict.delivered } : verdict
  }

  /** The first message since an instant that is meant, in a channel or in the thread of `ts`; null: there is none. Throws `Unsent` where that cannot be told. */
  async find(
    { channel, since, ts }: { readonly channel: string; readonly since: number; readonly ts?: string },
    isMeant: (message: FoundMessage) => boolean,
  ): Promise<FoundMessage | null> {
    const { api, deadline } = this.#options
    const method = ts === undefined ? 'conversations.history' : 'conversations.replies'
    const query = { method, channel, since: since - MARGIN_MS, ...(ts !== undefined && { ts }) } as const
    let cursor = ''
    do {
      const from = cursor
      const verdict = await this.#judged(method, async () => await api.look(query, from, deadline))
      // A thread that is not there holds nothing; where the app may not look at it, what it holds twice is the lesser evil.
      if (verdict.kind === 'gone' || (ts !== undefined && isClosed(verdict))) return null
      if (verdict.kind !== 'done') throw new Unsent(verdict.failed)
      const found = messagesIn(verdict.answer).find(isMeant)
      if (found !== undefined) return found
      cursor = nextCursor(verdict.answer)
    } while (cursor !== '')
    return null
  }

  async #judged(method: string, call: () => Promise<HttpAnswer>): Promise<ApiVerdict> {
    const { address, api, clock, deadline, timeoutMs } = this.#options
    const { origin, server } = api
    try {
      const verdict = judgeApi(method, await call(), { origin, now: clock.now() })
      if (verdict.kind !== 'refused' || verdict.failed.kind !== 'failed') return verdict
      const { failed } = verdict
      return failed.retryAfterMs === null ? verdict : { ...verdict, failed: { ...failed, cooldownOf: address } }
    } catch (error) {
      const explain = (): SendOutcome => unanswered(api.explain(error))
      const failed = failedWithin(deadline, { timeoutMs, server }, { error, explain })
      return { kind: 'unknown', failed: api.closing.aborted ? { kind: 'cut' } : failed }
    }
  }
}

/** Whether a look was refused for good, and not for now. */
function isClosed(verdict: ApiVerdict): boolean {
  return verdict.kind === 'refused' && verdict.failed.kind === 'failed' && verdict.failed.retryAfterMs === null
}

function messagesIn(answer: Json): readonly FoundMessage[] {
  const messages = field(answer, 'messages')
  if (!isJsonArray(messages)) return []
  return messages.flatMap((each) => {
    const ts = textField(each, 'ts')
    return ts === null ? [] : [{ ts, metadata: field(each, 'metadata') ?? null, blocks: field(each, 'blocks') ?? null }]
  })
}
