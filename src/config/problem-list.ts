import type { Problem } from './problem.ts'

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
