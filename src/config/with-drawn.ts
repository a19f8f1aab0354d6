import { drawnTexts } from './config-node.ts'
import type { Shape } from './shape.ts'

export interface WithDrawn<T> {
  readonly value: T
  /** What of it came from variables and files: presumably secret, wherever it stands. */
  readonly drawn: readonly string[]
}

/** A value that may hold a secret without being one. */
export function withDrawn<T>(shape: Shape<T>): Shape<WithDrawn<T>> {
  return {
    outline: shape.outline,
    read: (node, name, reading) => {
      const value = shape.read(node, name, reading)
      return value === undefined ? undefined : { value, drawn: drawnTexts(node) }
    },
  }
}
