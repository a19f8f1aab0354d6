import { field, isJsonArray, isJsonObject, type Json } from '../../model/json.ts'

/** Stands for any element of an array. */
export const ANY_ELEMENT = '*'

/** Whether a value tells anything: null, '' and what is empty or holds nothing else is as good as missing (contract section 3.2). */
export function saysSomething(value: Json | undefined): boolean {
  if (isJsonArray(value)) return value.some(saysSomething)
  if (isJsonObject(value)) return Object.values(value).some(saysSomething)
  return value !== undefined && value !== null && value !== ''
}

/** Whether a record says something at a path, in any element where the path runs through arrays. */
export function saysSomethingAt(value: Json | undefined, steps: readonly string[]): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return saysSomething(value)
  if (step !== ANY_ELEMENT) return saysSomethingAt(field(value, step), rest)
  return isJsonArray(value) && value.some((element) => saysSomethingAt(element, rest))
}
