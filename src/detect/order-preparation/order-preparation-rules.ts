import type { ResourceRules } from '../comparison.ts'
import { leavesFinding } from '../finding.ts'

export const orderPreparationRules: ResourceRules = {
  shape: {},
  /** The path names it; a platform may repeat that in the record. */
  isIdentity: (name) => name === 'reference',
  learn: ({ memory }) => memory,
  appeared: () => [{ type: 'order_preparation.created', about: { kind: 'record' }, extras: {} }],
  changed: (_, leaves) => leavesFinding('order_preparation.updated', leaves),
}
