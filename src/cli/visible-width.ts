const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u

/** Columns that printable text takes on a terminal: two for East Asian wide characters and emoji, none for combining marks. */
export function visibleWidth(text: string): number {
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}

function widthOf(character: string): number {
  if (character <= '~') return 1
  if (/^(?:\p{M}|\u200d)$/u.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}
