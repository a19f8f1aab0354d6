import { asText, field, isJsonArray, isJsonObject, type Json } from '../../../model/json.ts'
import { mailboxOf } from './mailbox.ts'
import type { ClaimedDelivery } from '../../../store/ports/delivery-port.ts'

/** What earlier attempts came to, for each recipient; who is in neither is still to get the mail. */
export interface MailProgress {
  readonly taken: readonly string[]
  /** Refused for good: what the server said, by recipient. */
  readonly refused: ReadonlyMap<string, string>
}

const NOTHING: MailProgress = { taken: [], refused: new Map() }

/** To whom a mail is to go now, and what became of the others. */
export interface Standing {
  readonly open: readonly string[]
  readonly before: MailProgress
}

/**
 * Who has a mail never gets it again because another was refused. Who was refused for good is tried again only where a command asked
 * for the row, which begins its retries anew. A row that everybody has and that a command asks for goes to all again.
 */
export function standingOf(to: readonly string[], { attempts, progress }: ClaimedDelivery): Standing {
  const known = parseProgress(progress ?? null)
  const before = attempts > 0 ? known : { ...known, refused: NOTHING.refused }
  const settled = new Set([...before.taken, ...before.refused.keys()].map(mailboxOf))
  const open = [...new Set(to)].filter((address) => !settled.has(mailboxOf(address)))
  return open.length === 0 && attempts === 0 ? { open: [...new Set(to)], before: NOTHING } : { open, before }
}

export function isNothing({ taken, refused }: MailProgress): boolean {
  return taken.length === 0 && refused.size === 0
}

export function formatProgress({ taken, refused }: MailProgress): string {
  return JSON.stringify({ taken, refused: Object.fromEntries(refused) })
}

function parseProgress(text: string | null): MailProgress {
  if (text === null) return NOTHING
  const json: Json = JSON.parse(text)
  const [taken, refused] = [field(json, 'taken'), field(json, 'refused')]
  return {
    taken: isJsonArray(taken) ? taken.filter((each) => typeof each === 'string') : [],
    refused: new Map(
      isJsonObject(refused) ? Object.entries(refused).map(([who, why]) => [who, asText(why) ?? '']) : [],
    ),
  }
}
