import { type LogSpan, placeBeforeSpan } from '../../ledger/events.ts'
import { type Dialect, first } from './dialect.ts'
import type { Lookup } from './lookup.ts'

/** What is asked of the spans of the log. */
export class LogSpans<Source> {
  readonly #between
  readonly #firstSendable

  constructor({ all }: Pick<Dialect<Source>, 'all'>) {
    this.#between = all<LogSpan>(
      'SELECT span, events, expired, oldest, newest FROM log_spans WHERE span BETWEEN :least AND :most',
    )
    this.#firstSendable = all<{ span: number | null }>(
      'SELECT min(span) AS span FROM log_spans WHERE newest >= :since AND expired < events',
    )
  }

  *between(source: Source, least: number, most: number): Lookup<ReadonlyMap<number, LogSpan>> {
    return new Map((yield* this.#between(source, { least, most })).map((each) => [each.span, each]))
  }

  /** The place before which nothing can be sent that rang at or since; null: nothing can. */
  *placeBeforeSendable(source: Source, since: number): Lookup<number | null> {
    const span = (yield* first(this.#firstSendable(source, { since })))?.span ?? null
    return span === null ? null : placeBeforeSpan(span)
  }
}
