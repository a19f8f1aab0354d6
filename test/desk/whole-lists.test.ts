import { expect, test } from 'vitest'
import { ask, linksOf } from './ask.ts'
import { sampleDesk } from './sample-desk.ts'

/** A desk of 101 accounts and 101 subscriptions. */
function wideDesk() {
  const desk = sampleDesk()
  const { context, store } = desk
  const [account] = context.accounts()
  const [endpoint] = store.endpointOverviews
  if (account === undefined || endpoint === undefined) throw new Error('The sample has an account and an endpoint.')
  const names = Array.from({ length: 101 }, (_, nth) => `wide-${String(nth).padStart(3, '0')}`)
  store.accountOverviews = []
  store.endpointOverviews = names.map((subscription) => ({ ...endpoint, subscription }))
  return { ...context, accounts: () => names.map((name) => ({ ...account, name })) }
}

test.each(['/subscriptions', '/accounts'])('%s comes in pages of 50', async (path) => {
  const context = wideDesk()
  const shown: string[] = []
  let next: string | undefined = path
  let pages = 0
  while (next !== undefined) {
    const { text } = await ask(context, next)
    const names = [...text.matchAll(/href="\/(?:subscriptions|accounts)\/(wide-\d+)"/g)].map(([, name = '']) => name)
    expect(new Set(names).size).toBeLessThanOrEqual(50)
    shown.push(...new Set(names))
    pages += 1
    next = linksOf(text, 'Next')[0]
  }
  expect([pages, shown.length, new Set(shown).size]).toEqual([3, 101, 101])
  const wrong = await ask(context, `${path}?cursor=nowhere`)
  expect([wrong.status, wrong.text.includes('There is no such place in this list')]).toEqual([422, true])
  expect(wrong.text).toContain('wide-000')
})
