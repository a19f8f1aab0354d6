import type { NodemailerError } from 'nodemailer/lib/errors'
import type { SMTPSentMessageInfo } from 'nodemailer/lib/smtp-transport'
import { cut } from '../../../message/words/short.ts'
import type { SendOutcome } from '../channel.ts'
import { named, type Fate, type Fates } from './mail-fates.ts'
import { mailboxOf } from './mailbox.ts'
import { plainText } from './plain-text.ts'

/** About the login or the encryption that a server wants (RFC 4954 section 6, RFC 3207): the configuration, not the mail. */
const ABOUT_THE_SESSION: ReadonlySet<number> = new Set([530, 534, 535, 538])

/** Who answers, and what must not stand in what it says. */
export interface Answering {
  /** How the server is called in a sentence. */
  readonly server: string
  /** A text without secrets: what a server says may echo what it was sent. */
  readonly redacted: (text: string) => string
}

/** The server took the mail for one recipient at least. */
export function judgeAcceptance(
  { accepted, response, rejectedErrors }: SMTPSentMessageInfo,
  to: readonly string[],
  by: Answering,
): Fates {
  const reply = replyText(response, by)
  const status = Number.parseInt(reply, 10)
  const outcome: SendOutcome = { kind: 'delivered', status: Number.isNaN(status) ? 250 : status, answer: reply }
  const rejected = rejectedOf(rejectedErrors, to)
  const taken = new Set(accepted.map(mailboxOf))
  return new Map(
    to.map((address): [string, Fate] => {
      const error = rejected.get(address)
      if (error !== undefined) return [address, fateOfRecipient(error, address, by)]
      return [address, taken.has(mailboxOf(address)) ? { outcome, reply, isTooBig: false } : untold(address, by)]
    }),
  )
}

/** What the server said against each of these recipients. */
function rejectedOf(
  errors: readonly NodemailerError[] | undefined,
  to: readonly string[],
): ReadonlyMap<string, NodemailerError> {
  const byMailbox = new Map((errors ?? []).map((error) => [mailboxOf(error.recipient ?? ''), error]))
  return new Map(
    to.flatMap((address) => {
      const error = byMailbox.get(mailboxOf(address))
      return error === undefined ? [] : [[address, error] as const]
    }),
  )
}

/** Nobody is taken to have a mail because nothing was said of him. */
function untold(address: string, { server }: Answering): Fate {
  const error = `${server} said nothing of the recipient ${address}`
  return {
    outcome: { kind: 'failed', status: null, answer: null, error, retryAfterMs: null },
    reply: '',
    isTooBig: false,
  }
}

/** The server answered that it does not take the mail: for good where its answer is 5xx and speaks of the mail. */
export function judgeRefusal(error: NodemailerError, to: readonly string[], by: Answering): Fates {
  const errors = rejectedOf(error.rejectedErrors, to)
  const rejected = new Map([...errors].map(([address, each]) => [address, fateOfRecipient(each, address, by)]))
  const whole: Fate = {
    outcome: refusalOf(error, errors, by),
    reply: replyText(error.response, by),
    isTooBig: saysTooBig(error),
  }
  const isUniform = new Set([...rejected.values()].map(isForGood)).size < 2
  return new Map(
    to.map((address) => {
      const own = rejected.get(address)
      if (own === undefined) return [address, whole]
      return [address, isUniform ? { ...own, outcome: whole.outcome } : own]
    }),
  )
}

function isForGood({ outcome }: Fate): boolean {
  return outcome.kind === 'failed' && outcome.permanent === true
}

function refusalOf(error: NodemailerError, errors: ReadonlyMap<string, NodemailerError>, by: Answering): SendOutcome {
  const { server } = by
  const { code, command, responseCode: status = null } = error
  const forGood = speaksForGood(error)
  const refused = [...errors].map(([address, each]) => [address, replyText(each.response, by)] as const)
  const said = refused.length === 0 ? replyText(error.response, by) : named(refused)
  return {
    kind: 'failed',
    status,
    answer: refused.length === 0 ? said : refused.map((each) => each.join(': ')).join('\n'),
    error: `${server} answered ${status} to ${whatWasAsked(command)}${forGood ? ', for good' : ''}: ${said}`,
    retryAfterMs: null,
    ...(forGood ? { permanent: true } : {}),
    ...(forGood && code === 'EMESSAGE' ? { divisible: true } : {}),
  }
}

function fateOfRecipient(error: NodemailerError, address: string, by: Answering): Fate {
  const reply = replyText(error.response, by)
  const { responseCode: status = null } = error
  const said = `${by.server} answered ${status} to the recipient ${address}: ${reply}`
  const failed = { kind: 'failed', status, answer: reply, error: said, retryAfterMs: null } as const
  const outcome: SendOutcome = speaksForGood(error) ? { ...failed, permanent: true } : failed
  return { outcome, reply, isTooBig: saysTooBig(error) }
}

function speaksForGood({ code, permanent = false, responseCode = 0, command, response }: NodemailerError): boolean {
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (!permanent || !isAboutMail || ABOUT_THE_SESSION.has(responseCode)) return false
  // A recipient too many was once answered with 552, and is to be tried again (RFC 5321 section 4.5.3.1.10).
  return !(command === 'RCPT TO' && responseCode === 552 && /too many/i.test(response ?? ''))
}

/** A size that the system (X.3.4) or a mailbox (X.2.3) does not take (RFC 3463). */
const SIZE_STATUS = /^\d{3}[ -]5\.(?:3\.4|2\.3)\b/
const ENHANCED = /^\d{3}[ -]\d\.\d{1,3}\.\d{1,3}\b/
const SIZE_WORDS =
  /\btoo (?:big|large|long)\b|\bsize\b.*\b(?:limit|exceed|maximum)|\b(?:exceed|maximum)\w*\b.*\bsize\b/is

/** Whether the mail is refused for its size alone, so that a part of it may be taken. */
function saysTooBig(error: NodemailerError): boolean {
  const { command, responseCode = 0, response = '' } = error
  if (!speaksForGood(error)) return false
  if (responseCode === 523 || SIZE_STATUS.test(response)) return true
  if (ENHANCED.test(response)) return false
  return SIZE_WORDS.test(response) || (responseCode === 552 && command !== 'RCPT TO')
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

/** What a server answered, on one line and no longer than anybody reads. A secret is gone before the text is cut: none is left in part. */
export function replyText(reply: string | undefined, { redacted }: Pick<Answering, 'redacted'>): string {
  return cut(redacted(plainText(reply ?? '').trim()), LONGEST)
}
