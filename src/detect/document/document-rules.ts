import { asText, field } from '../../model/json.ts'
import { Claims, leavesFinding } from '../claims.ts'
import type { LeafChange } from '../compare/leaf-change.ts'
import { DATE, IGNORED, NUMBER, objectOf } from '../compare/shape.ts'
import type { Comparison, ResourceRules } from '../comparison.ts'

export const documentRules: ResourceRules = {
  /** A link may be presigned anew in every answer. */
  shape: objectOf({ link: IGNORED, size: NUMBER, uploaded_at: DATE }),
  isIdentity: (name) => name === 'id',
  learn: ({ memory }) => memory,
  appeared: () => [{ type: 'document.added', about: { kind: 'record' }, extras: {} }],
  changed: (comparison, leaves) => {
    const claims = new Claims(leaves)
    return [
      ...leavesFinding('document.classified', classifying(comparison, claims)),
      ...leavesFinding('document.updated', claims.takeRest()),
    ]
  },
}

/** The type, where there was none before. */
function classifying({ before, after }: Comparison, claims: Claims): readonly LeafChange[] {
  const wasUnclassified = asText(field(before, 'type')) === null
  return wasUnclassified && asText(field(after, 'type')) !== null ? claims.takeUnder('type') : []
}
