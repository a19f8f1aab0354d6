import { z } from 'zod'

/*
 * The building blocks of the wire schemas. They tell a container from a scalar and nothing finer: platforms render
 * numbers as text and text as numbers, invent enum values, and leave things out as null, "" or [] (contract section 3.2).
 */

type Nothing = '' | readonly []
type Scalar = string | number | boolean | readonly [] | null

export type Currency =
  | 'AED'
  | 'AUD'
  | 'BHD'
  | 'BRL'
  | 'CAD'
  | 'CHF'
  | 'CNY'
  | 'EUR'
  | 'GBP'
  | 'HKD'
  | 'IDR'
  | 'INR'
  | 'JPY'
  | 'MXN'
  | 'KRW'
  | 'KWD'
  | 'MYR'
  | 'NZD'
  | 'PLN'
  | 'SEK'
  | 'SGD'
  | 'THB'
  | 'TWD'
  | 'USD'
  | 'XOF'
  | 'XPF'
  | 'ZAR'

/** The values known today; others are carried through. */
type Choice<Known extends string> = Known | (string & {}) | number | boolean | readonly [] | null

const nothing = z.custom<Nothing>((value) => value === '' || isEmptyList(value))

export const text = z.custom<Scalar>(isScalar, 'a text').optional()
export const number = z.custom<Scalar>(isScalar, 'a number').optional()
export const flag = z.custom<Scalar>(isScalar, 'true or false').optional()
/** `YYYY-MM-DD` */
export const simpleDate = z.custom<Scalar>(isScalar, 'a date').optional()
/** ISO 8601 with an offset */
export const dateWithTime = z.custom<Scalar>(isScalar, 'a date-time').optional()

export function choice<Known extends string>() {
  return z.custom<Choice<Known>>(isScalar, 'a text').optional()
}

/** An object inside a record: unknown fields are carried through, and it may be missing. */
export function part<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .union([z.looseObject(shape), nothing], { error: 'an object' })
    .nullable()
    .optional()
}

export function listOf<Element extends z.ZodType>(element: Element) {
  return z
    .union([z.array(element), nothing], { error: 'a list' })
    .nullable()
    .optional()
}

export const currency = choice<Currency>()
export const weight = part({ value: number, unit: choice<'kg' | 'lbs'>() })
export const volume = part({ value: number, unit: choice<'cbm'>() })
export const size = part({ value: number, unit: choice<'cm' | 'in'>() })
export const price = part({ amount: number, currency })
export const customParameters = listOf(part({ name: text, value: text }))

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null || isEmptyList(value)
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

export const incoterm = choice<
  'exw' | 'fca' | 'fas' | 'fob' | 'cpt' | 'cfr' | 'cif' | 'cip' | 'dap' | 'ddp' | 'dpu' | 'dat'
>()

export const freightMode = choice<'air' | 'ocean' | 'rail' | 'truck'>()
