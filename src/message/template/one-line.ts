/**
 * A text as one line that reads as it is written: no field of a record can pass for a line, and what other characters do to the text
 * around them (bidirectional overrides, controls) is gone.
 */
export function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Zl}\p{Zp}\p{Cc}]+/gu, ' ')
    .replaceAll(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '')
}
