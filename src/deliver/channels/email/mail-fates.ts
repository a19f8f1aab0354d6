import type { Batch } from '../../batches.ts'
import type { SendOutcome, SentPart } from '../channel.ts'
import { formatProgress, isNothing, type MailProgress } from './mail-progress.ts'

/** What became of a mail for one recipient. */
export interface Fate {
  readonly outcome: SendOutcome
  /** What the server said of the recipient. */
  readonly reply: string
  /** Whether the mail was refused for its size alone. */
  readonly isTooBig: boolean
}

/** By recipient. */
export type Fates = ReadonlyMap<string, Fate>

/** Deliveries that went together to everybody, in one mail or in several. */
export interface MailPart {
  readonly batch: Batch
  readonly fates: Fates
}

interface Sorted {
  readonly before: MailProgress
  /** With what was before. */
  readonly taken: readonly string[]
  readonly refused: ReadonlyMap<string, string>
  /** Still to get it. */
  readonly later: ReadonlyMap<string, Fate>
}

/**
 * What a part came to for its rows. `delivered`: everybody has it but those who were refused for good, who are named. One who is refused
 * for now keeps the row open; the progress says who is left.
 */
export function partOutcome({ batch, fates }: MailPart, before: MailProgress, server: string): SentPart {
  const [only, ...others] = new Set([...fates.values()].map(({ outcome }) => outcome))
  if (only !== undefined && others.length === 0 && isNothing(before)) return { batch, outcome: only }
  const sorted = sortOut(fates, before)
  return { batch, outcome: { ...outcomeOf(sorted, fates, server), progress: formatProgress(sorted) } }
}

function sortOut(fates: Fates, before: MailProgress): Sorted {
  const of = (choose: (outcome: SendOutcome) => boolean): readonly [string, Fate][] =>
    [...fates].filter(([, { outcome }]) => choose(outcome))
  return {
    before,
    taken: [...before.taken, ...of(({ kind }) => kind === 'delivered').map(([address]) => address)],
    refused: new Map([
      ...before.refused,
      ...of(isRefused).map(([address, { reply }]): [string, string] => [address, reply]),
    ]),
    later: new Map(of((outcome) => outcome.kind !== 'delivered' && !isRefused(outcome))),
  }
}

function isRefused(outcome: SendOutcome): boolean {
  return outcome.kind === 'failed' && outcome.permanent === true
}

function outcomeOf({ before, taken, refused, later }: Sorted, fates: Fates, server: string): SendOutcome {
  const outcomes = [...fates.values()].map(({ outcome }) => outcome)
  const accepted = outcomes.find((outcome) => outcome.kind === 'delivered')
  const answer = accepted?.answer ?? null
  if (later.size > 0) {
    const [first] = [...later.values()].map(({ outcome }) => outcome)
    if (first?.kind === 'cut') return first
    const status = first?.kind === 'failed' ? first.status : null
    const also = refused.size === 0 ? '' : `; refused for good: ${named(refused)}`
    const error = `${server} has yet to take the mail for ${named(repliesOf(later))}${also}`
    return {
      kind: 'failed',
      status,
      answer: noted(answer, [...repliesOf(later), ...refused]),
      error,
      retryAfterMs: null,
      ...(accepted === undefined ? {} : { partly: true }),
    }
  }
  const status = accepted?.status ?? outcomes.find((outcome) => outcome.kind === 'failed')?.status ?? null
  const error = `${server} refused the mail for good for ${named(refused)}`
  if (taken.length === 0)
    return { kind: 'failed', status, answer: noted(answer, refused), error, retryAfterMs: null, permanent: true }
  const told = [...refused].filter(([address]) => !before.refused.has(address))
  return {
    kind: 'delivered',
    status: status ?? 250,
    answer: noted(answer, told),
    ...(refused.size === 0 ? {} : { refused: `${error}; everybody else has it` }),
  }
}

function repliesOf(fates: Fates): ReadonlyMap<string, string> {
  return new Map([...fates].map(([address, { reply }]) => [address, reply]))
}

/** Recipients, each with what the server said of it. */
export function named(replies: Iterable<readonly [string, string]>): string {
  return [...replies].map(([address, reply]) => (reply === '' ? address : `${address} (${reply})`)).join(', ')
}

function noted(answer: string | null, replies: Iterable<readonly [string, string]>): string | null {
  const refusals = named(replies)
  const lines = [answer, refusals === '' ? null : `refused for ${refusals}`].filter((line) => line !== null)
  return lines.length === 0 ? null : lines.join('\n')
}
