import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node'

/** What takes longest begins first, so that no worker is left alone with it at the end. `longest`: parts of the paths of test files. */
export function longestFirst(longest: readonly string[]): TestSequencerConstructor {
  const rank = ({ moduleId }: TestSpecification): number => {
    const nth = longest.findIndex((name) => moduleId.includes(name))
    return nth === -1 ? longest.length : nth
  }
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
    }
  }
}
