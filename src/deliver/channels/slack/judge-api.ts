import { field, textField, type Json } from '../../../model/json.ts'
import type { SendOutcome } from '../channel.ts'
import { judgeAnswer, retryAfter, type HttpAnswer } from '../judge-answer.ts'

const TOO_MANY_REQUESTS = 429
const LONGEST_WORD = 100
/** The answer as it is kept: Slack echoes what was posted. */
const MOST_KEPT = 500

/** What an answer of the Web API says. */
export type ApiVerdict =
  | { readonly kind: 'done'; readonly answer: Json; readonly delivered: SendOutcome }
  /** The message, or its thread, is there no more, or may not be changed. */
  | { readonly kind: 'gone'; readonly failed: SendOutcome }
  /** What was asked for was not done. */
  | { readonly kind: 'refused'; readonly failed: SendOutcome }
  /** What was asked for may have been done. */
  | { readonly kind: 'unknown'; readonly failed: SendOutcome }

/** The message, or its thread, is there no more, or may not be changed any more. */
const GONE: ReadonlySet<string> = new Set([
  'cannot_reply_to_message',
  'cant_update_message',
  'edit_window_closed',
  'is_inactive',
  'message_not_found',
  'thread_not_found',
])

/** What Slack says where something of its own broke: it may have posted all the same. */
const BROKEN: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
])

const LIMITED: ReadonlySet<string> = new Set(['rate_limited', 'ratelimited'])

/** What no repeat mends: the message itself is refused. */
const MISFITS: ReadonlySet<string> = new Set([
  'invalid_attachments',
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'metadata_too_large',
  'msg_blocks_too_long',
  'msg_too_long',
  'no_text',
  'too_many_attachments',
])

/** What Slack's words mean to whoever set the app up; others speak for themselves. */
const MEANINGS: Readonly<Record<string, string>> = {
  account_inactive: 'the app was removed from the workspace: install it again and take its new token',
  channel_not_found: 'the channel was deleted, or the app is not in it: invite the app, or name another id',
  invalid_auth: 'the token is wrong: take the bot token of the app',
  is_archived: 'the channel is archived: unarchive it, or name another one',
  missing_scope: 'the app lacks a scope: chat:write, channels:history, and groups:history for private channels',
  not_authed: 'the token is missing or wrong: take the bot token of the app',
  not_in_channel: 'the app is not in the channel: invite it with /invite',
  restricted_action: 'an administrator of the workspace does not allow the app to post there',
  token_expired: 'the token has expired: take the new one of the app',
  token_revoked: 'the token was revoked: install the app again and take its new token',
}

/** What an answer to `method` means. */
export function judgeApi(
  method: string,
  answer: HttpAnswer,
  { origin, now }: { readonly origin: string; readonly now: number },
): ApiVerdict {
  const { status } = answer
  const json = jsonOf(answer.judged)
  const word = textField(json, 'error')
  // An answer is seldom shown: only then it is read once more, as it may be.
  const reason = (): string => said(textField(jsonOf(answer.body), 'error'))
  if (status === TOO_MANY_REQUESTS || (word !== null && LIMITED.has(word)))
    return {
      kind: 'refused',
      failed: failure(answer, `${origin} answered ${method} with ${status}${reason()}`, retryAfter(answer, now)),
    }
  if (status < 200 || status >= 300) {
    const judged = judgeAnswer(answer, origin, now)
    const error = 'error' in judged ? `${judged.error}${reason()}` : ''
    const failed = failure(answer, error, retryAfter(answer, now))
    return { kind: status >= 500 ? 'unknown' : 'refused', failed }
  }
  if (field(json, 'ok') === true)
    return { kind: 'done', answer: json, delivered: { kind: 'delivered', status, answer: beginning(answer.body) } }
  if (word === null) {
    const error = `${origin} answered ${method} with ${status} and not as Slack's Web API does: \`api_url\` must be its address`
    return { kind: 'unknown', failed: failure(answer, error, null) }
  }
  const failed = failure(answer, `${origin} refused ${method}${reason()}`, retryAfter(answer, now))
  if (GONE.has(word)) return { kind: 'gone', failed }
  if (BROKEN.has(word)) return { kind: 'unknown', failed }
  return { kind: 'refused', failed: MISFITS.has(word) ? { ...failed, permanent: true } : failed }
}

function failure(
  { body, status }: HttpAnswer,
  error: string,
  retryAfterMs: number | null,
): SendOutcome & { kind: 'failed' } {
  return { kind: 'failed', status, answer: beginning(body), error, retryAfterMs }
}

function beginning(body: string | null): string | null {
  return body === null ? null : body.slice(0, MOST_KEPT)
}

function jsonOf(body: string | null): Json {
  try {
    const json: Json = JSON.parse(body ?? 'null')
    return json
  } catch {
    return null
  }
}

/** Slack explains itself in a word: `channel_not_found`. */
function said(word: string | null): string {
  if (word === null) return ''
  const meaning = Object.hasOwn(MEANINGS, word) ? MEANINGS[word] : undefined
  const shown = word.replaceAll(/[^\x20-\x7e]+/g, ' ').slice(0, LONGEST_WORD)
  return meaning === undefined ? `: ${shown}` : `: ${shown} (${meaning})`
}
