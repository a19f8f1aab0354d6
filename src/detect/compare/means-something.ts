import { field, isJsonArray, isJsonObject, type Json } from '../../model/json.ts'
import { elementsOf, fieldShape, type Elements, type Shape } from './shape.ts'

/** Whether an element has a canonical text, without making it: most say so with their first field. */
export function elementMeansSomething({ of, nested }: Elements, value: Json): boolean {
  if (meansSomething(of, value)) return true
  const inner = nested === undefined ? undefined : field(value, nested.field)
  return nested !== undefined && isJsonArray(inner) && inner.some((each) => meansSomething(nested.elements.of, each))
}

function meansSomething(shape: Shape, value: Json): boolean {
  if (shape.ignored === true) return false
  if (isJsonObject(value)) {
    return Object.keys(value).some((name) => meansSomething(fieldShape(shape, name), value[name] ?? null))
  }
  if (!isJsonArray(value)) return value !== null && value !== ''
  const { of, order } = elementsOf(shape)
  return order !== 'elsewhere' && value.some((element) => meansSomething(of, element))
}
