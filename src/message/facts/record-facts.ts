import { field, isJsonArray, textField, type Json } from '../../model/json.ts'
import { moment } from '../words/moment.ts'
import { counted } from '../words/span.ts'
import { fact, wordsOf, type MaybeFact } from './fact.ts'
import { listOf } from './shipment-facts.ts'

export function documentFacts(data: Json | undefined): readonly MaybeFact[] {
  const document = field(data, 'object')
  return [
    fact('Type', wordsOf(field(document, 'type'))),
    fact('Shipment', textField(document, 'platform_shipment_id')),
    fact('Uploaded', moment(field(document, 'uploaded_at'))),
  ]
}

export function orderFacts(data: Json | undefined): readonly MaybeFact[] {
  const order = field(data, 'object')
  const line = field(data, 'line')
  const lines = field(order, 'purchase_order_lines')
  return [
    fact('Supplier', textField(order, 'supplier_name')),
    fact('Line', textField(line, 'reference')),
    fact('Product', productOf(field(line, 'product'))),
    fact('Ordered', textField(line, 'ordered_quantity')),
    fact('Shipped', shippedOf(data)),
    fact('Shipment', textField(data, 'shipment_id')),
    fact(
      'Lines',
      line === undefined && lines !== undefined && isJsonArray(lines) ? counted(lines.length, 'line') : null,
    ),
    fact('Ex factory', moment(field(order, 'desired_ex_factory_date'))),
    fact('Desired delivery', moment(field(order, 'desired_delivery_date'))),
  ]
}

export function locationFacts(data: Json | undefined): readonly MaybeFact[] {
  const location = field(data, 'object')
  const town = [textField(location, 'zip_code'), textField(location, 'city')].filter((each) => each !== null).join(' ')
  const parts = [textField(location, 'address'), town, textField(location, 'country')]
  return [
    fact('Company', textField(location, 'company_name')),
    fact('Address', parts.filter((part) => part !== null && part !== '').join(', ')),
    fact('Opening hours', textField(location, 'opening_hours')),
  ]
}

export function preparationFacts(data: Json | undefined): readonly MaybeFact[] {
  const preparation = field(data, 'object')
  return [
    fact('Name', textField(preparation, 'name')),
    fact('Mode', wordsOf(field(preparation, 'freight_method'))),
    fact('Pickup', moment(field(field(preparation, 'instructions'), 'target_pickup_date'))),
    fact('References', listOf(field(preparation, 'picking_references'))),
  ]
}

function productOf(product: Json | undefined): string | null {
  const [name, sku] = [textField(product, 'name') ?? textField(product, 'description'), textField(product, 'sku')]
  return name !== null && sku !== null ? `${name} (${sku})` : (name ?? sku)
}

/** What of an order line went with the shipment that the event is about, container by container. */
function shippedOf(data: Json | undefined): string | null {
  const shipment = textField(data, 'shipment_id')
  const assigned = elements(field(field(data, 'line'), 'assigned_order_lines'))
  const own = assigned.find((each) => shipment !== null && textField(each, 'platform_shipment_id') === shipment)
  const shipped = elements(field(own, 'shipped_order_lines')).map((each) => {
    const [quantity, container] = [textField(each, 'shipped_quantity'), textField(each, 'container_number')]
    return container === null ? (quantity ?? '–') : `${quantity ?? '–'} in ${container}`
  })
  return listOf(shipped)
}

function elements(list: Json | undefined): readonly Json[] {
  return list !== undefined && isJsonArray(list) ? list : []
}
