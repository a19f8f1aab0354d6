import { z } from 'zod'

/*
 * Building blocks of the bodies that the sandbox takes. Each message names what is expected, as the end of a sentence
 * that opens with the field. Fields that the interface does not name are passed over.
 */

const LONGEST = 1_000

export const text = z.string('a text').max(LONGEST, `a text of at most ${LONGEST} characters`)
export const filledText = text.refine((value) => value.trim() !== '', 'a text that is not empty')
export const flag = z.boolean('true or false')
export const number = z.number('a number').nonnegative('a number of 0 or more')
export const simpleDate = z.iso.date('a date as YYYY-MM-DD')

export function oneOf<const Value extends string>(values: readonly Value[]) {
  return z.enum(values, `one of ${values.join(', ')}`)
}

export function listOf<Element extends z.ZodType>(element: Element, most = 1_000) {
  return z.array(element, 'a list').max(most, `a list of at most ${most}`)
}

export function objectOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, 'an object')
}

/** The currency codes of the interface. */
const CURRENCIES =
  'AED AUD BHD BRL CAD CHF CNY EUR GBP HKD IDR INR JPY MXN KRW KWD MYR NZD PLN SEK SGD THB TWD USD XOF XPF ZAR'

export const currency = oneOf(CURRENCIES.split(' '))
export const price = objectOf({ amount: number, currency })
/** At most six (the interface's limit). */
export const customParameters = listOf(objectOf({ name: filledText, value: text }), 6)
