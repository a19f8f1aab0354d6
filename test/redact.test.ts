import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { prepareRedaction, redact } from '../src/redact.ts'

describe('text without secrets', () => {
  test('holds no long one, wherever it stands', () => {
    expect(redact('xtok_12345678x', ['tok_12345678'])).toBe('x[redacted]x')
    expect(redact('seen tok_123', ['tok_12345678'])).toBe('seen [redacted]')
  })

  test('holds no short one that stands alone, and keeps the words that hold it', () => {
    const text = 'status 1234 of 12345, tests=test "test" latest contest test'
    expect(redact(text, ['test', '1234'])).toBe(
      'status [redacted] of 12345, tests=[redacted] "[redacted]" latest contest [redacted]',
    )
    expect(redact('the greatest', ['test123'])).toBe('the greatest')
    expect(redact('cut off: test', ['test123'])).toBe('cut off: [redacted]')
  })

  test('holds no secret of eight characters or more, whatever surrounds it', () => {
    const part = fc.string({ maxLength: 5 })
    fc.assert(
      fc.property(fc.array(part), fc.stringMatching(/^[0-9]{8,12}$/), (parts, secret) => {
        expect(redact(parts.join(secret), [secret])).not.toContain(secret)
      }),
    )
  })

  test('holds none of thousands, made ready in turns or at once', { tags: 'long' }, async () => {
    const secrets = Array.from({ length: 3_000 }, (_, n) => `key-of-customer-${n}-${n * 7919}`)
    const text = secrets.map((secret) => `seen ${secret} here`).join(' ')
    const prepared = [...secrets]
    let turns = 0
    await prepareRedaction(prepared, async () => void (turns += 1))
    expect(turns).toBeGreaterThan(secrets.length)
    expect(redact(text, prepared)).toBe(redact(text, secrets))
    expect(redact(text, prepared)).not.toContain('key-of-customer')
  })
})
