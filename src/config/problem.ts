import { ShipbellError } from '../errors.ts'

/** A place in a configuration; line and column count from 1. */
export interface Position {
  /** The file as it is shown: the name given on the command line, and beside it those of included files. */
  readonly file: string
  readonly line: number
  readonly column: number
}

export function startOf(file: string): Position {
  return { file, line: 1, column: 1 }
}

/** Something wrong (`error`) or unwise (`warning`) at a place of the file. Messages never hold the value of a secret or of a variable. */
export interface Problem extends Position {
  readonly message: string
  readonly severity: 'error' | 'warning'
}

export function problemAt(at: Position, message: string, severity: Problem['severity'] = 'error'): Problem {
  return { file: at.file, line: at.line, column: at.column, message: printable(message), severity }
}

/** Names of the file stand in messages, and a quoted key may hold terminal escapes or line breaks; a file's name, too. */
export function printable(message: string): string {
  return message.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

/** A name of the file in a message: cut where it is absurdly long. */
export function quoted(name: string): string {
  return `\`${name.length > 80 ? `${name.slice(0, 80)}…` : name}\``
}

/** Every error as `FILE:LINE:COL: message`. */
export function errorLines(problems: readonly Problem[]): readonly string[] {
  const errors = problems.filter(({ severity }) => severity === 'error')
  return errors.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
}

/** Throws `config_invalid` with every error. */
export function refuseFile(problems: readonly Problem[]): never {
  throw new ShipbellError('config_invalid', errorLines(problems).join('\n'))
}

/** The problems of a configuration. The same one at the same place is kept once: an anchor or a default may be read many times. */
export class ProblemList {
  readonly #files = new Set<string>()
  readonly #problems = new Map<string, Problem>()

  /** Problems come in the order in which their files are named here. */
  addFile(shown: string): void {
    this.#files.add(shown)
  }

  report(...problems: readonly Problem[]): void {
    for (const problem of problems) {
      const { file, line, column, message } = problem
      this.#problems.set(JSON.stringify([file, line, column, message]), problem)
    }
  }

  get inOrder(): readonly Problem[] {
    const place = new Map([...this.#files].map((file, index) => [file, index]))
    const placeOf = ({ file }: Problem): number => place.get(file) ?? this.#files.size
    return [...this.#problems.values()].sort(
      (a, b) => placeOf(a) - placeOf(b) || a.line - b.line || a.column - b.column,
    )
  }

  get failed(): boolean {
    return [...this.#problems.values()].some(({ severity }) => severity === 'error')
  }
}
