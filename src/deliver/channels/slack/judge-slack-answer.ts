import type { SendOutcome } from '../channel.ts'
import { judgeAnswer, type HttpAnswer } from '../judge-answer.ts'

const LONGEST_WORD = 100

/** What Slack's words mean to whoever set the webhook up; others speak for themselves. */
const MEANINGS: Readonly<Record<string, string>> = {
  action_prohibited: 'an administrator of the workspace does not allow this webhook to post there',
  channel_is_archived: 'unarchive the channel, or make a webhook for another one',
  channel_not_found: 'the channel was deleted, or the webhook may not see it: make a new one',
  invalid_token: 'the url is not whole, or the webhook was revoked: make a new one',
  no_active_hooks: 'the webhook is disabled or was removed: make a new one',
  no_service: 'the webhook is disabled or was removed: make a new one',
  no_team: 'the workspace is gone, or the url is not whole',
  posting_to_general_channel_denied: 'the workspace restricts who may post to its general channel',
  team_disabled: 'the workspace is disabled',
}

/** Judges an answer as webhooks do, but only the word `ok` says that Slack has the message: a proxy's page is a 200 too. */
export function judgeSlackAnswer(answer: HttpAnswer, origin: string, now: number): SendOutcome {
  const outcome = judgeAnswer(answer, origin, now)
  const said = saidIn(answer.body)
  switch (outcome.kind) {
    case 'cut':
      return outcome
    case 'delivered': {
      if (answer.judged?.trim() === 'ok') return outcome
      const error = `${origin} answered ${answer.status} without Slack's \`ok\`${said}: the url must be that of an incoming webhook`
      return { kind: 'failed', status: answer.status, answer: answer.body, error, retryAfterMs: null }
    }
    case 'failed':
    case 'gone':
      return { ...outcome, error: `${outcome.error}${said}` }
    default:
      return outcome satisfies never
  }
}

/** Slack explains itself in a word: `no_service`. */
function saidIn(body: string | null): string {
  const text = (body ?? '').trim().replaceAll(/[^\x20-\x7e]+/g, ' ')
  if (text === '') return ''
  const meaning = Object.hasOwn(MEANINGS, text) ? MEANINGS[text] : undefined
  return meaning === undefined ? `: ${text.slice(0, LONGEST_WORD)}` : `: ${text} (${meaning})`
}
