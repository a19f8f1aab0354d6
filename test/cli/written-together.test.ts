import { setImmediate as nextTurn } from 'node:timers/promises'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { writtenTogether } from '../../src/cli/written-together.ts'

/** Keeps what each system call would have written. */
function pipe(): { readonly stream: Writable; readonly calls: string[] } {
  const calls: string[] = []
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      calls.push(chunk)
      done()
    },
    writev: (chunks: readonly { chunk: string }[], done) => {
      calls.push(chunks.map(({ chunk }) => chunk).join(''))
      done()
    },
  })
  return { stream, calls }
}

test('lines of one turn are written together, in their order and with what others write there', async () => {
  const { calls, stream } = pipe()
  const write = writtenTogether(stream)
  write('one\n')
  await Promise.resolve()
  write('two\n')
  stream.write('by another\n')
  write('three\n')
  expect(calls).toEqual([])
  await nextTurn()
  write('four\n')
  await nextTurn()
  expect(calls).toEqual(['one\ntwo\nby another\nthree\n', 'four\n'])
})

test('a stream that cannot hold anything is written to at once', () => {
  const lines: string[] = []
  const write = writtenTogether({ write: (text) => lines.push(text) })
  write('one\n')
  expect(lines).toEqual(['one\n'])
})
