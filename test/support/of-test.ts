import { onTestFinished } from 'vitest'

/** What is given lives as long as the test. */
export function ofTest<T extends AsyncDisposable>(resource: T): T {
  onTestFinished(async () => resource[Symbol.asyncDispose]())
  return resource
}
