import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { SecretScan } from './secret-scan.ts'

const BYTES = Buffer.from('MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=', 'base64')
const SECRET = `whsec_${BYTES.toString('base64')}`

const TEXTS: readonly (readonly [name: string, text: string | Buffer])[] = [
  ['clear', SECRET],
  ['a log line', JSON.stringify({ level: 20, signed: `by ${SECRET}` })],
  ['an address', `/subscriptions?secret=${encodeURIComponent(SECRET)}`],
  ['its key alone', SECRET.slice('whsec_'.length)],
  ['its bytes', Buffer.concat([randomBytes(5), BYTES, randomBytes(5)])],
  ['hex', `\\x${BYTES.toString('hex')}`],
  ['hex in capitals', BYTES.toString('hex').toUpperCase()],
  ['hex of its text', Buffer.from(SECRET).toString('hex')],
  ...[0, 1, 2, 3].map((before): [string, string] => [
    `base64 of a text that has it behind ${before} bytes`,
    Buffer.from(`${'x'.repeat(before)}${SECRET} and more`).toString('base64url'),
  ]),
]

test.each(TEXTS)('a secret is found in %s', (_, text) => {
  const scan = new SecretScan()
  scan.hide('erp', SECRET)
  scan.look('nothing', randomBytes(100_000))
  expect(scan.found).toEqual([])
  scan.look('here', text)
  expect(scan.found[0]).toMatch(/^erp stands in .* in here at/)
})
