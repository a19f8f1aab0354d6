import { plainText } from './plain-text.ts'

const LONGEST = 500

/** What a server answered, on one line and no longer than anybody reads. */
export function replyText(reply: string | undefined): string {
  return plainText(reply ?? '')
    .trim()
    .slice(0, LONGEST)
    .toWellFormed()
}
