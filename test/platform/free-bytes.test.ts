import { describe, expect, test } from 'vitest'
import { freeBytes } from '../../src/platform/answer.ts'

describe('the memory of bytes that nobody looks at any more', () => {
  test('is freed where it is their own', () => {
    const read = Buffer.from(new ArrayBuffer(65_536))
    const chunks = [read.subarray(160), Buffer.from(new ArrayBuffer(12_417)), Buffer.allocUnsafe(Buffer.poolSize)]
    freeBytes(chunks)
    expect(chunks.map(({ length }) => length)).toEqual([0, 0, 0])
  })

  test('is left alone where small buffers share it', () => {
    const [one, other] = [Buffer.from('one'), Buffer.from('other')]
    freeBytes([one, Buffer.allocUnsafe((Buffer.poolSize >>> 1) - 1)])
    expect([one, other, Buffer.from('next')].map(String)).toEqual(['one', 'other', 'next'])
  })

  test('is freed once where several chunks lie in it', () => {
    const read = Buffer.from(new ArrayBuffer(100_000))
    const chunks = [read.subarray(0, 50_000), read.subarray(50_000)]
    freeBytes(chunks)
    freeBytes(chunks)
    expect(chunks.map(({ length }) => length)).toEqual([0, 0])
  })
})
