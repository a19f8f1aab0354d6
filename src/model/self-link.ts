import type { EventDraft } from './event.ts'
import type { JsonObject } from './json.ts'
import { isRecordResource } from './resource.ts'

/**
 * Where the API shows what an event is about as it is now: what a thin payload says in place of the record. Without the address of the
 * admin interface it is a path there. Empty for what the API shows nowhere.
 */
export function selfLink(event: Pick<EventDraft, 'account' | 'subject'>, publicUrl: string | null): JsonObject {
  const path = pathOf(event)
  return path === null ? {} : { links: { self: `${publicUrl ?? ''}/api/v1/${path}` } }
}

function pathOf({ account, subject }: Pick<EventDraft, 'account' | 'subject'>): string | null {
  const { resource } = subject
  const id = encodeURIComponent(subject.id.toWellFormed())
  if (isRecordResource(resource))
    return account === null ? null : `records/${resource}/${encodeURIComponent(account)}/${id}`
  switch (resource) {
    case 'account':
      return `accounts/${id}`
    case 'subscription':
      return `subscriptions/${id}`
    case 'configuration':
      return null
    default:
      return resource satisfies never
  }
}
