import { z } from 'zod'

const NAME = z.string()

/** A mapping of which each entry is a setting of its own, told by its name. */
export function entries<T extends z.ZodType>(of: T, message: string): z.ZodRecord<z.ZodString, T> {
  return z.record(NAME, of, message)
}

/** A key of the contract whose feature is not built yet. */
export const notBuilt = z.never('is not built yet; remove it for now').optional()

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

/** What it takes under a key; undefined where it knows none of this name, or is a value. */
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

/** Without what says that it may be absent. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault ? bare(schema.unwrap()) : schema
}
