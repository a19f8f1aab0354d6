import { z } from 'zod'

// What our schemas are made of beside zod's own parts, and how a path is followed through them.

const NAME = z.string()

/** A mapping from names to settings: messages about an entry name it. */
export function entries<T extends z.ZodType>(of: T, message: string): z.ZodRecord<z.ZodString, T> {
  return z.record(NAME, of, message)
}

export function isEntries(schema: z.core.$ZodType): boolean {
  const inner = bare(schema)
  return inner instanceof z.ZodRecord && inner.keyType === NAME
}

/** The mapping with fixed keys that it is, or may be. */
export function sectionOf(schema: z.core.$ZodType): z.ZodObject | undefined {
  const inner = bare(schema)
  if (inner instanceof z.ZodUnion) return inner.options.map(sectionOf).find((option) => option !== undefined)
  return inner instanceof z.ZodObject ? inner : undefined
}

/** What a schema takes under a key; undefined where it knows none of this name, or is a value. */
export function entryOf(schema: z.core.$ZodType, key: string): z.core.$ZodType | undefined {
  const inner = bare(schema)
  if (inner instanceof z.ZodUnion)
    return inner.options.map((option) => entryOf(option, key)).find((entry) => entry !== undefined)
  if (inner instanceof z.ZodObject) return Object.hasOwn(inner.shape, key) ? bare(inner.shape[key]) : undefined
  return inner instanceof z.ZodRecord && isEntries(inner) ? bare(inner.valueType) : undefined
}

/** The keys of a section that can be used. */
export function keysOf(section: z.ZodObject): readonly string[] {
  return Object.keys(section.shape).filter((key) => !(entryOf(section, key) instanceof z.ZodNever))
}

/** A schema without what says that it may be absent. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault ? bare(schema.unwrap()) : schema
}

/** What a problem of a schema may say beside its message: the `params` of a custom issue. */
export interface Detail {
  /** The message where the value comes from variables, and so is not shown. */
  readonly hidden?: string
  /** How many characters into the text the problem is. */
  readonly offset?: number
  /** Reported at the key, not at the value. */
  readonly at?: 'key'
  /** A rule between keys: judged where nothing else is wrong in their mapping. */
  readonly rule?: true
}

/** A custom issue. `key`: the key below, at which it is reported. */
export function issueOf(message: string, { key, ...detail }: Detail & { readonly key?: string } = {}): CustomIssue {
  return { code: 'custom', message, params: detail, ...(key === undefined ? {} : { path: [key] }) }
}

/** No interface: the compiler takes only a type for what zod may index. */
type CustomIssue = { code: 'custom'; message: string; params: Detail; path?: string[] }
