import { describe, expect, it } from 'vitest'
import { sampleEvent } from '../../src/samples/sample-event.ts'
import type { FieldTree } from '../../src/model/field-tree.ts'
import { isJsonArray, isJsonObject, type Json } from '../../src/model/json.ts'
import { interfaceFields } from '../../src/platform/schemas.ts'

const FIELDS = interfaceFields()

/** Paths of the interface that no element of a sample has, or has without a value where the interface has parts. */
function missing(tree: FieldTree, values: readonly Json[], path = ''): readonly string[] {
  const objects = values.filter((value) => isJsonObject(value))
  const own = [...tree.fields].flatMap(([name, child]) => {
    const found = objects.filter((each) => Object.hasOwn(each, name)).map((each) => each[name] ?? null)
    return found.length === 0 ? [`${path}/${name}`] : missing(child, found, `${path}/${name}`)
  })
  const { elements } = tree
  return elements === null ? own : [...own, ...missing(elements, values.filter(isJsonArray).flat(), `${path}/*`)]
}

describe('a sample', () => {
  it.each([
    ['shipment', 'shipment.created', []],
    ['tracking', 'tracking.updated', []],
    ['invoice', 'invoice.created', []],
    ['document', 'document.added', ['/link']],
    ['purchase_order', 'purchase_order.created', []],
    ['location', 'location.created', []],
    ['order_preparation', 'order_preparation.created', []],
  ] as const)('of %s has every field of the interface, so that templates may speak of it', (resource, type, never) => {
    expect(missing(FIELDS[resource], [sampleEvent(type).object])).toEqual(never)
  })
})
