import { cut } from '../../../message/words/short.ts'
import { plainText } from './plain-text.ts'

const LONGEST = 300

/** What a server answered, on one line and no longer than anybody reads. */
export function replyText(reply: string | undefined): string {
  return cut(plainText(reply ?? '').trim(), LONGEST)
}
