import { cut } from '../words/short.ts'

const LONGEST = 2_000

/**
 * A value in the text of a template: one line that reads as it is written. Lines are the template's own, so that no field of
 * a record can pass for one; what other characters do to the text around them (bidirectional overrides, controls) is gone.
 */
export function neutralValue(text: string): string {
  return cut(text, LONGEST)
    .replaceAll(/[\p{Zl}\p{Zp}\p{Cc}]+/gu, ' ')
    .replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
}
