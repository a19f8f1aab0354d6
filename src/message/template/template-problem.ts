import { LiquidError } from 'liquidjs'

/** What is wrong with a template, and where in its file; both count from 1. */
export interface TemplateProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** The place and the reason of what parsing or rendering threw; the first character where it has no place. */
export function templateProblem(error: unknown): TemplateProblem {
  if (!LiquidError.is(error))
    return { line: 1, column: 1, message: error instanceof Error ? error.message : String(error) }
  const [line = 1, column = 1] = error.token.getPosition()
  const { message } = error.originalError ?? error
  const said = message
    .replace(/, line:\d+, col:\d+$/, '')
    .replace(/^memory alloc(?= limit)/, 'it goes over more than a message may:')
  return { line, column, message: said }
}

/** Whether a bound on size or work was passed, which every event would take as long to pass again. */
export function passedBound({ message }: TemplateProblem): boolean {
  return message.includes('limit exceeded')
}

/** `ops.liquid:3:12: undefined variable: data.shipmnt` */
export function placed(file: string, { line, column, message }: TemplateProblem): string {
  return `${file}:${line}:${column}: ${message}`
}

/** Samples of which event types show a problem: `invoice.due and 2 more types`. */
export function samplesSaid([first = 'none', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${moreTypes(others.length)}`
}

/** `1 more type`, `2 more types`. */
export function moreTypes(amount: number): string {
  return `${amount} more ${amount === 1 ? 'type' : 'types'}`
}
