import { expect, it } from 'vitest'
import { amount, describeClockChanges, desk } from './digest-desk.ts'

it('more than anybody reads are one mail all the same', async () => {
  const at = await desk('2026-11-20T10:00:00Z')
  await at.ring(5_100)
  await at.deliver()
  const mails = await at.deliverAt('2026-11-21T07:00:00Z')
  expect(mails.map(amount)).toEqual([5_100])
})

describeClockChanges([
  ['America/New_York', '01:30', '2026-10-30T12:00:00Z', ['10-31T05:30', '11-01T05:30', '11-02T06:30']],
  ['America/New_York', '02:00', '2027-03-12T12:00:00Z', ['03-13T07:00', '03-14T07:00', '03-15T06:00']],
  ['Australia/Lord_Howe', '01:45', '2027-04-01T20:00:00Z', ['04-02T14:45', '04-03T14:45', '04-04T15:15']],
])
