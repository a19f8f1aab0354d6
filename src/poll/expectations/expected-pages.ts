import type { ExpectedRecord } from '../../model/expectation.ts'
import type { ExpectationStore } from '../../store/ports/expectation-port.ts'

const AT_ONCE = 500

/** The records of an account that were judged, page by page, by resource and id; `failing`: those that a rule fails on. */
export async function* expectedPages(
  store: Pick<ExpectationStore, 'expectedRecords'>,
  account: string,
  which: 'failing' | 'all',
): AsyncGenerator<readonly ExpectedRecord[], void> {
  let after: ExpectedRecord | null = null
  do {
    const page: readonly ExpectedRecord[] = await store.expectedRecords(account, { which, after, most: AT_ONCE })
    yield page
    after = page.length < AT_ONCE ? null : (page.at(-1) ?? null)
  } while (after !== null)
}
