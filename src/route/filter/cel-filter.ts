import { EvaluationError, type ParseResult } from '@marcbachmann/cel-js'
import type { Filter, FilterVerdict } from '../../model/subscription.ts'
import type { JsonObject } from '../../model/json.ts'
import { asWritten, TYPE_FIELD } from './cel-environment.ts'
import { CelValues } from './cel-values.ts'
import type { LinearPatterns } from './linear-patterns.ts'

const LONGEST_REASON = 300

/** A `where` that was parsed and checked. */
export class CelFilter implements Filter {
  readonly expression: string
  readonly #evaluate: ParseResult
  readonly #patterns: LinearPatterns

  constructor(expression: string, evaluate: ParseResult, patterns: LinearPatterns) {
    this.expression = expression
    this.#evaluate = evaluate
    this.#patterns = patterns
  }

  /** Judged once for each payload, however many subscriptions say the same. */
  judge(payload: JsonObject): FilterVerdict {
    const { values, verdicts } = knownOf(payload)
    const known = verdicts.get(this.expression)
    if (known !== undefined) return known
    const verdict = withoutStacks(() => this.#judge(values))
    verdicts.set(this.expression, verdict)
    return verdict
  }

  #judge(values: CelValues): FilterVerdict {
    try {
      values.refill()
      this.#patterns.refill()
      const { type, ...others } = Object.fromEntries(values.fields)
      const result: unknown = this.#evaluate({ ...others, [TYPE_FIELD]: type })
      if (typeof result === 'boolean') return { kind: result ? 'match' : 'no match' }
      return { kind: 'failed', reason: 'It says neither true nor false.' }
    } catch (error) {
      return isMissing(error) ? { kind: 'no match' } : { kind: 'failed', reason: reasonOf(error) }
    }
  }
}

/** What is known of a payload that several subscriptions judge. */
interface Judged {
  readonly values: CelValues
  /** By expression. */
  readonly verdicts: Map<string, FilterVerdict>
}

const JUDGED = new WeakMap<JsonObject, Judged>()

function knownOf(payload: JsonObject): Judged {
  const known = JUDGED.get(payload) ?? { values: new CelValues(payload), verdicts: new Map<string, FilterVerdict>() }
  JUDGED.set(payload, known)
  return known
}

/** A missing field is an error of the library, and where it was thrown takes longer to note than all else. Nobody reads that. */
function withoutStacks<T>(judge: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return judge()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Reaching into a missing field, element or key means no match (guarantee E10). */
function isMissing(error: unknown): boolean {
  return error instanceof EvaluationError && (error.code === 'no_such_key' || error.code === 'index_out_of_bounds')
}

/** Why an evaluation failed, in the words of whoever wrote the expression. */
export function reasonOf(error: unknown): string {
  const text = error instanceof EvaluationError ? error.summary : error instanceof Error ? error.message : String(error)
  return asWritten(text).slice(0, LONGEST_REASON)
}
