/**
 * Types of contract section 4 that do not ring yet: a subscription may name them already, with a warning. A type that is
 * built moves from here to the catalogue.
 */
export const PLANNED_EVENT_TYPES: readonly string[] = ['shipbell.test']
