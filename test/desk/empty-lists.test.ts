import { expect, test } from 'vitest'
import { ask } from './ask.ts'
import { InMemoryDeskStore } from './in-memory-desk-store.ts'
import { sampleDesk } from './sample-desk.ts'

test('an empty list says whether it was read to its end', async () => {
  const { context, store } = sampleDesk()
  store.details = []
  const read = await ask(context, '/records/invoice')
  expect(read.text).toContain('The platform has none. What it adds appears here at once.')
  store.accountOverviews = store.accountOverviews.slice(1)
  const unread = await ask(context, '/records/invoice')
  expect(unread.text).toContain('Nothing was read yet.')
})

test('a ledger without rows asks for no filter to be taken out where there is none', async () => {
  const { context } = sampleDesk({ store: new InMemoryDeskStore() })
  expect((await ask(context, '/deliveries')).text).toContain('Nothing has been sent yet.')
  expect((await ask(context, '/deliveries?state=held')).text).toContain('Take a filter out')
})

test('a record that there is not leads to its list', async () => {
  const { text } = await ask(sampleDesk().context, '/records/invoice/acme/none')
  expect(text).toMatch(/href="\/records\/invoice"[^>]*>Invoices</)
})
