import { z } from '@hono/zod-openapi'
import { formatInstantOrNull } from '../../model/instant.ts'
import type { Json } from '../../model/json.ts'
import { momentText } from '../pages/parts/time.ts'
import { LONGEST_TEXT } from './data-block.ts'
import type { ToolDesk } from './tool-desk.ts'

/** Parts of which the schemas of tools are made. */

export const cursor = z.string().max(8_192).optional().describe('`next` of the answer before, with the same arguments.')

export const account = z.string().max(64).describe('The name of an account, as get_status lists them.')

export const next = z.string().nullable().describe('The `cursor` of the next call; null: the end.')

export const url = z.string().nullable().describe('The page of the desk; null: none to show.')

/** What programs read of something. More may be said of it one day, so a schema does not say that this is all. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
  return z.object(shape).meta({ additionalProperties: undefined })
}

export const text = z.string()
export const textOrNull = z.string().nullable()
/** A whole number; which of them a program can hold is said to nobody. */
export const whole = z.number().int().meta({ minimum: undefined, maximum: undefined })
export const wholeOrNull = whole.nullable()
export const instantOrNull = z.string().nullable()

/** The address of a page of the desk; null: nobody said where it is, or it would be cut, as other texts are, and lead nowhere. */
export function urlOf({ publicUrl }: Pick<ToolDesk, 'publicUrl'>, path: string): string | null {
  const base = publicUrl()
  const address = base === null ? null : base.replace(/\/+$/, '') + path
  return address !== null && address.length > LONGEST_TEXT ? null : address
}

/** A date as a record has it, for people: on the clock of the accounts where they agree, else UTC's; null: there is none. */
export function dateText(value: Json | undefined): string | null {
  return value == null || value === '' ? null : momentText(value)
}

export function instantText(at: number | null): string | null {
  return dateText(formatInstantOrNull(at))
}
