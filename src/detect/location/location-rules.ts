import { objectOf, setOf } from '../compare/shape.ts'
import type { ResourceRules } from '../comparison.ts'
import { leavesFinding } from '../finding.ts'

export const locationRules: ResourceRules = {
  shape: objectOf({ contacts: setOf({}, { descriptive: ['name', 'email'] }) }),
  isIdentity: (name) => name === 'id',
  learn: ({ memory }) => memory,
  appeared: () => [{ type: 'location.created', about: { kind: 'record' }, extras: {} }],
  changed: (_, leaves) => leavesFinding('location.updated', leaves),
}
