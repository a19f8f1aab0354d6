import type { MessageContext } from '../deliver/channels/message-renderer.ts'
import { zoneOfAccount } from '../model/account.ts'
import { eventLinks, type LinkTargets } from '../model/event-link.ts'

interface MessageSurroundings {
  readonly links: NonNullable<MessageContext['links']>
  readonly zoneOf: NonNullable<MessageContext['zoneOf']>
}

/** What of the configuration goes into messages; asked for each of them, because a reload changes it. */
export function messageContext(config: () => LinkTargets): MessageSurroundings {
  return {
    links: (event) => eventLinks(event, config()),
    zoneOf: (account) => zoneOfAccount(account, config().accounts),
  }
}
