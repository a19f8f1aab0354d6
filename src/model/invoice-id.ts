import type { invoiceKind } from './invoice.ts'
import type { SubjectResource } from './resource.ts'

type Kind = ReturnType<typeof invoiceKind>

const NAMESAKE = /#(?:invoice|credit_note)$/

/**
 * The id of an invoice or credit note whose reference another record of the other kind had first. Platforms number both in one
 * series or in two, so that one reference may be of two records.
 */
export function namesakeId(reference: string, kind: Kind): string {
  return `${reference}#${kind}`
}

/** The id under which the platform knows a record: of a namesake its reference. */
export function idAtPlatform(resource: SubjectResource, id: string): string {
  return resource === 'invoice' ? id.replace(NAMESAKE, '') : id
}
