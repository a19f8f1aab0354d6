/** Marks that turn the direction of what follows, or are invisible where they say nothing: names must not hide behind them. */
const DECEIVING =
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\u{e0001}|[\u{e0020}-\u{e007f}]/gu
const BREAKING = /[\p{Cc}\u2028\u2029]+/gu

/**
 * Any text as one line that shows what it is: control characters and line breaks become spaces, marks that turn the direction
 * go, half characters are replaced. An encoded word (RFC 2047) is taken apart, so that no header shows what it encodes.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(DECEIVING, '').replaceAll(BREAKING, ' ').replaceAll('=?', '= ?')
}
