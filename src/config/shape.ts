import type { z } from 'zod'
import type { Json } from '../model/json.ts'
import type { ConfigNode } from './config-node.ts'
import type { FileText } from './interpolate.ts'
import type { Position, Problem } from './problem.ts'

/** What a place of the configuration may hold, and how it is read. `outline` is the same as data, for documentation. */
export interface Shape<T> {
  readonly outline: Outline
  /** undefined: a problem was reported. `name` is the key, for messages. */
  read(node: ConfigNode, name: string, reading: Reading): T | undefined
}

export type Outline =
  | { readonly kind: 'value'; readonly schema: z.ZodType }
  | { readonly kind: 'section'; readonly keys: Keys; readonly later: readonly string[] }
  | { readonly kind: 'named'; readonly of: Outline }
  | { readonly kind: 'switchable'; readonly of: Outline }

/** One key of a section: its shape, its default as one would write it, and what it is for, in one sentence. */
export interface Key<T> {
  readonly shape: Shape<T>
  readonly presence: Presence
  readonly says: string
}

type Presence =
  { readonly kind: 'required' } | { readonly kind: 'optional' } | { readonly kind: 'default'; readonly value: Json }

export type Keys = Readonly<Record<string, Key<unknown>>>

export interface Reading {
  report(problem: Problem): void
  /** A default as a node: its variables replaced, like any value of the file. */
  defaultNode(value: Json, at: Position): ConfigNode
  /** The text of a file that the configuration names, or why it cannot be read. */
  file(path: string): FileText
}

export function required<T>(shape: Shape<T>, says: string): Key<T> {
  return { shape, presence: { kind: 'required' }, says }
}

/** A section of defaults, or a key that may be absent: undefined then. */
export function optional<T>(shape: Shape<T>, says: string): Key<T | undefined> {
  return { shape, presence: { kind: 'optional' }, says }
}

export function byDefault<T>(shape: Shape<T>, value: Json, says: string): Key<T> {
  return { shape, presence: { kind: 'default', value }, says }
}
