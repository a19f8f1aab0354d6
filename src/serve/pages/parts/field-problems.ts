import { AsyncLocalStorage } from 'node:async_hooks'
import { ShipbellError } from '../../../errors.ts'

/** What somebody asked a page for and what no page can be asked for. */
export class FieldProblem extends ShipbellError {
  readonly field: string

  /** `message` is said beside the field. */
  constructor(field: string, message: string) {
    super('usage', message)
    this.field = field
  }
}

/** What stands in a field, and what is wrong with it. */
export interface WrongField {
  readonly value: string
  readonly said: string
}

type WrongFields = ReadonlyMap<string, WrongField>

const CURRENT = new AsyncLocalStorage<WrongFields>()

/** The fields of the page that is made that are wrong: it is made as if nobody had filled them in, and forms say so beside each. */
export function wrongFields(): WrongFields {
  return CURRENT.getStore() ?? new Map()
}

export function madeDespite<Result>(wrong: WrongFields, make: () => Result): Result {
  return CURRENT.run(wrong, make)
}
