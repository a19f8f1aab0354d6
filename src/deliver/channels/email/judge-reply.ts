import type { NodemailerError } from 'nodemailer/lib/errors'
import type { SMTPSentMessageInfo } from 'nodemailer/lib/smtp-transport'
import { cut } from '../../../message/words/short.ts'
import type { SendOutcome } from '../channel.ts'
import { plainText } from './plain-text.ts'

/** About the login or the encryption that a server wants (RFC 4954 section 6, RFC 3207): the configuration, not the mail. */
const ABOUT_THE_SESSION: ReadonlySet<number> = new Set([530, 534, 535, 538])

/** The server took the mail for one recipient at least; whom it refused is said in the answer. */
export function judgeAcceptance({ response, rejected, rejectedErrors }: SMTPSentMessageInfo): SendOutcome {
  const reply = replyText(response)
  const status = Number.parseInt(reply, 10)
  const refusals = (rejectedErrors ?? []).map((error) => `${error.recipient} (${replyText(error.response)})`)
  const refused = refusals.length > 0 ? refusals : rejected
  const note = refused.length === 0 ? '' : `\nrefused for ${refused.join(', ')}`
  return { kind: 'delivered', status: Number.isNaN(status) ? 250 : status, answer: `${reply}${note}` }
}

/** The server answered that it does not take the mail: for good where its answer is 5xx and speaks of the mail. */
export function judgeRefusal(error: NodemailerError, status: number, server: string): SendOutcome {
  const { code, command, permanent = false } = error
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  const forGood = permanent && isAboutMail && !ABOUT_THE_SESSION.has(status)
  const refusals = (error.rejectedErrors ?? []).map((each) => `${each.recipient}: ${replyText(each.response)}`)
  return {
    kind: 'failed',
    status,
    answer: refusals.length === 0 ? replyText(error.response) : refusals.join('\n'),
    error: `${server} answered ${status} to ${whatWasAsked(command)}${forGood ? ', for good' : ''}: ${replyText(error.response)}`,
    retryAfterMs: null,
    ...(forGood ? { permanent: true } : {}),
    ...(forGood && code === 'EMESSAGE' ? { divisible: true } : {}),
  }
}

function whatWasAsked(command: string | undefined): string {
  switch (command) {
    case 'MAIL FROM':
      return 'the sender'
    case 'RCPT TO':
      return 'the recipients'
    case 'DATA':
      return 'the mail'
    case undefined:
    case 'CONN':
      return 'the connection'
    default:
      return command.startsWith('AUTH') ? 'the login' : command
  }
}

const LONGEST = 300

/** What a server answered, on one line and no longer than anybody reads. */
export function replyText(reply: string | undefined): string {
  return cut(plainText(reply ?? '').trim(), LONGEST)
}
