import { EvaluationError } from '@marcbachmann/cel-js'
import { LOOPS } from './syntax-tree.ts'

/** What one evaluation may spend: about half a second of a slow machine; honest expressions spend some ten thousand. */
const ALLOWANCE = 300_000
/** An error is dear, and a loop may meet one with each element. */
const FAILURE_COST = 10
/** A time zone is looked up for each. */
const ZONED_COST = 100
/** Added for what a step says: it may be scanned, or copied. */
const CHARACTERS_A_UNIT = 512
const ELEMENTS_A_UNIT = 16

/** Built by the expression itself, out of anything. */
const LONGEST_TEXT = 1_000_000
const LONGEST_LIST = 10_000
const BUILDERS: ReadonlySet<string> = new Set(['+', 'call', 'rcall', 'comprehension'])

/** What the library evaluates with: every step of an expression but the first is a `run`. */
export interface Evaluator {
  run: (node: Evaluable, scope: unknown) => unknown
}

/** A step of an expression: a node as the library evaluates it. */
export interface Evaluable {
  readonly op: string
  readonly args: unknown
  evaluate(evaluator: Evaluator, node: Evaluable, scope: unknown): unknown
}

/** What a missing field is: an error that ends the evaluation, or null, and where a list is looped through, an empty one. */
export type Gaps = 'errors' | 'null'

const MISSING: ReadonlySet<unknown> = new Set(['no_such_key', 'index_out_of_bounds'])

/** Bounds what an expression computes, whatever it loops through and builds; what it reads of a payload is bounded there. */
export class EvaluationMeter {
  readonly #gaps: Gaps
  /** What lists are read from that may be missing. */
  readonly #lists = new WeakSet<object>()
  /** Made once: loops go on after an error, and making one is dear. */
  readonly #exceeded = new TooCostly()
  #left = 0

  constructor(gaps: Gaps = 'errors') {
    this.#gaps = gaps
  }

  /** A whole expression, every step of which is paid for. Every evaluation has the same allowance. */
  evaluate(evaluator: Evaluator, whole: Evaluable, scope: unknown): unknown {
    this.#left = ALLOWANCE
    evaluator.run = (node, inside) => this.#step(evaluator, node, inside)
    return evaluator.run(whole, scope)
  }

  #step(evaluator: Evaluator, node: Evaluable, scope: unknown): unknown {
    this.#charge(isZoned(node) ? ZONED_COST : 1)
    let value: unknown
    try {
      if (this.#gaps === 'null') this.#noteList(node)
      value = node.evaluate(evaluator, node, scope)
    } catch (error) {
      this.#charge(FAILURE_COST)
      const instead = this.#gaps === 'null' ? insteadOf(node, error) : undefined
      if (instead === undefined) throw error
      value = instead
    }
    if ((value === null || value === '') && this.#lists.has(node)) value = []
    const { text, list } = sizeOf(value)
    if (BUILDERS.has(node.op) && (text > LONGEST_TEXT || list > LONGEST_LIST)) this.#left = 0
    this.#charge(Math.floor(text / CHARACTERS_A_UNIT) + Math.floor(list / ELEMENTS_A_UNIT))
    return value
  }

  #noteList({ args, op }: Evaluable): void {
    if (!Array.isArray(args) || (op !== 'in' && !(op === 'rcall' && LOOPS.has(args[0])))) return
    const list: unknown = args[1]
    if (typeof list === 'object' && list !== null) this.#lists.add(list)
  }

  /** Spends of the meter. Once spent, it stays so: an error inside a loop does not end the loop. */
  #charge(cost: number): void {
    this.#left -= cost
    if (this.#left < 0) throw this.#exceeded
  }
}

/** What a step that reads a missing field gives; undefined: it failed otherwise. */
function insteadOf({ args, op }: Evaluable, error: unknown): null | false | undefined {
  if (!(error instanceof EvaluationError) || !MISSING.has(error.code)) return undefined
  if (op === '.' || op === '[]') return null
  return op === 'call' && Array.isArray(args) && args[0] === 'has' ? false : undefined
}

function sizeOf(value: unknown): { readonly text: number; readonly list: number } {
  if (typeof value === 'string') return { text: value.length, list: 0 }
  return { text: 0, list: Array.isArray(value) ? value.length : 0 }
}

/** `getHours("Europe/Paris")` and its like. */
function isZoned({ op, args }: Evaluable): boolean {
  return op === 'rcall' && Array.isArray(args) && String(args[0]).startsWith('get')
}

/** An evaluation spent more than any sensible one: a record may be huge, and a loop in a loop multiplies. */
export class TooCostly extends RangeError {
  constructor() {
    super('It costs too much on this event: its loops meet a huge record, or multiply, or build a huge text or list.')
  }
}
