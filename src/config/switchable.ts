import type { Shape } from './shape.ts'

/** A section that `false` switches off: null then. */
export function switchable<T>(of: Shape<T>): Shape<T | null> {
  return {
    outline: { kind: 'switchable', of: of.outline },
    read: (node, name, reading) =>
      node.kind === 'scalar' && (node.value === false || node.value === 'false') ? null : of.read(node, name, reading),
  }
}
