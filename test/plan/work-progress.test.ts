import { expect, test } from 'vitest'
import { WorkProgress } from '../../src/plan/work-progress.ts'

const S = 1_000

test('what has begun and does not end is a stall after some seconds', () => {
  const progress = new WorkProgress()
  progress.begun(0)
  expect(progress.stall(11 * S)).toBeNull()
  expect(progress.stall(12 * S)).toEqual({ since: 0, error: null })
  progress.done()
  expect(progress.stall(500 * S)).toBeNull()
})

test('of what is done at once, what does not end is one though others come through', () => {
  const progress = new WorkProgress()
  progress.begun(0)
  progress.done(progress.begun(1 * S))
  progress.failed(3 * S, 'refused', progress.begun(2 * S))
  progress.done(progress.begun(4 * S))
  expect(progress.stall(12 * S)).toEqual({ since: 0, error: null })
})

test('what fails is one after a minute, however often it is tried', () => {
  const progress = new WorkProgress()
  for (const at of [0, 1, 3, 7, 15, 31, 59]) {
    progress.begun(at * S)
    progress.failed(at * S, `failure at ${at}`)
    expect(progress.stall(at * S)).toBeNull()
  }
  expect(progress.stall(60 * S)).toMatchObject({ since: 0, error: 'failure at 59' })
  progress.begun(61 * S)
  expect(progress.stall(62 * S)).not.toBeNull()
  progress.done()
  expect(progress.stall(62 * S)).toBeNull()
})

test('what did not end, and fails then, stays one until it comes through', () => {
  const progress = new WorkProgress()
  progress.begun(0)
  progress.failed(15 * S, 'no answer within 15 s')
  progress.begun(16 * S)
  expect(progress.stall(17 * S)).toMatchObject({ since: 0, error: 'no answer within 15 s' })
})
