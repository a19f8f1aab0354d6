import { expect, test } from 'vitest'
import type { FieldTree } from '../../src/model/field-tree.ts'
import { interfaceFields } from '../../src/platform/schemas.ts'

function paths(tree: FieldTree, at = ''): readonly string[] {
  const inner = [...tree.fields].flatMap(([name, each]) => paths(each, `${at}/${name}`))
  const elements = tree.elements === null ? [] : paths(tree.elements, `${at}/*`)
  return inner.length === 0 && elements.length === 0 ? [at] : [...inner, ...elements]
}

test('the interface names fields at every depth', () => {
  const fields = interfaceFields()
  expect(paths(fields.document)).toEqual([
    '/id',
    '/name',
    '/type',
    '/platform_shipment_id',
    '/link',
    '/size',
    '/uploaded_at',
  ])
  expect(paths(fields.shipment)).toEqual(
    expect.arrayContaining(['/cargo/containers/*/seal_number', '/cargo/loads/*/weight/unit', '/invoice_references/*']),
  )
  expect(paths(fields.tracking)).toContain('/tracking_steps/*/events/*/container_number')
  expect(paths(fields.purchase_order)).toContain(
    '/purchase_order_lines/*/assigned_order_lines/*/shipped_order_lines/*/shipped_quantity',
  )
  expect(paths(fields.invoice)).toContain('/lines/*/unit_rate/amount')
  expect(paths(fields.location)).toContain('/contacts/*/phone')
  expect(paths(fields.order_preparation)).toContain('/instructions/target_pickup_date')
})
