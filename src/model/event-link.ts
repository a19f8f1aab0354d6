import type { AccountSettings } from './account.ts'
import { sequenceOf, type ShipbellEvent } from './event.ts'
import { idAtPlatform } from './invoice-id.ts'
import { isRecordResource, type SubjectResource } from './resource.ts'

/** Where a link leads: to the event in the desk, or to the record at the platform. */
type Destination = 'desk' | 'platform'

/** Where people read more about an event. */
export interface EventLink {
  readonly to: Destination
  /** What the link is called, in English; whoever shows it to a reader says it in his language. */
  readonly label: string
  /** http or https. */
  readonly url: string
}

/** Where links lead, as configured. */
export interface LinkTargets {
  /** Where people reach the desk: no slash at the end of its address. */
  readonly http: { readonly publicUrl: string | null } | null
  readonly accounts: readonly Pick<AccountSettings, 'name' | 'link' | 'timeZone'>[]
}

/**
 * To the record's page in the desk, which marks what changed since the event, and to the record at the platform; as far as it is
 * configured where they are; of a test nowhere.
 */
export function eventLinks(event: ShipbellEvent, { accounts, http }: LinkTargets): readonly EventLink[] {
  const { account, cause, subject } = event
  // What a test tells of did not happen, to a record that does not exist.
  if (cause === 'test') return []
  const publicUrl = http?.publicUrl ?? null
  const page = publicUrl === null ? [] : [pageLink(publicUrl, event)]
  const url = account === null ? null : platformAddress({ account, ...subject }, accounts)
  return url === null ? page : [...page, { to: 'platform', label: 'Open at the platform', url }]
}

/** Where people see a record at the platform; null where it is not configured. */
export function platformAddress(
  record: { readonly account: string; readonly resource: SubjectResource; readonly id: string },
  accounts: LinkTargets['accounts'],
): string | null {
  const links = accounts.find(({ name }) => name === record.account)?.link ?? {}
  const addresses = new Map<string, string>(Object.entries(links))
  // Tracking has the id of its shipment, and people look at it there.
  const template = addresses.get(record.resource) ?? (record.resource === 'tracking' ? links.shipment : undefined)
  return template === undefined ? null : recordLink(template, idAtPlatform(record.resource, record.id))
}

function pageLink(publicUrl: string, event: ShipbellEvent): EventLink {
  return { to: 'desk', label: 'Open in Shipbell', url: `${publicUrl}${pageOf(event)}` }
}

/** Longer addresses are of ids that nobody has; mail programs and chats cut them. */
const LONGEST_PATH = 600

/** The page of the record with what changed since; what is about no record has the page of its event. */
function pageOf(event: ShipbellEvent): string {
  const { account, id, subject } = event
  const ownPage = `/events/${encodeURIComponent(id)}`
  if (account === null || !isRecordResource(subject.resource)) return ownPage
  // What tracking says stands on the page of its shipment.
  const resource = subject.resource === 'tracking' ? 'shipment' : subject.resource
  const place = sequenceOf(event)
  const since = place === null ? '' : `#${sinceAnchor(place)}`
  const path = `/records/${resource}/${account}/${encodeURIComponent(subject.id.toWellFormed())}${since}`
  return path.length > LONGEST_PATH ? ownPage : path
}

/** The part of a record's page that shows what changed with an event and since: the anchor of that event. */
function sinceAnchor(sequence: number): string {
  return `since=${sequence}`
}

/** A template of a URL with the id of a record, percent-encoded, for each `{id}`. */
function recordLink(template: string, id: string): string {
  return template.replaceAll('{id}', () => encodeURIComponent(id.toWellFormed()))
}
