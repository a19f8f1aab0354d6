/** A C1 control, a bidirectional override, an isolate, marks, a line end of Unicode, a joiner, a tag, DEL, half a character. */
export const HOSTILE = 'x\u009b31m\u202ey\u2066\u200f\u061c\u2028z\u200d\u{e0041}\u007f\u001b[8m\u0007\ud800'
const COLOUR = String.raw`${'\u001b'}\[\d{1,2}m`
/** What steers no terminal, colours apart. */
export const PLAIN = new RegExp(String.raw`^(?:${COLOUR}|[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|\n)*$`, 'u')
