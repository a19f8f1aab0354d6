import { field, isJsonArray, textField, type Json } from '../../model/json.ts'
import { moment } from '../words/moment.ts'
import { listOf } from '../words/references.ts'
import { countOf } from '../wording/numbers.ts'
import { filled, type Wording } from '../wording/wording.ts'
import { fact, wordsOf, type MaybeFact } from './fact.ts'

export function documentFacts(data: Json | undefined, wording: Wording): readonly MaybeFact[] {
  const document = field(data, 'object')
  return [
    fact('type', wordsOf(field(document, 'type'), wording)),
    fact('shipment', textField(document, 'platform_shipment_id')),
    fact('uploaded', moment(field(document, 'uploaded_at'), wording)),
  ]
}

export function orderFacts(data: Json | undefined, wording: Wording): readonly MaybeFact[] {
  const order = field(data, 'object')
  const line = field(data, 'line')
  const lines = field(order, 'purchase_order_lines')
  return [
    fact('supplier', textField(order, 'supplier_name')),
    fact('line', textField(line, 'reference')),
    fact('product', productOf(field(line, 'product'))),
    fact('ordered', textField(line, 'ordered_quantity')),
    fact('shipped', shippedOf(data, wording)),
    fact('shipment', textField(data, 'shipment_id')),
    fact(
      'lines',
      line === undefined && lines !== undefined && isJsonArray(lines) ? countOf(lines.length, 'line', wording) : null,
    ),
    fact('expected_delivery', moment(field(field(data, 'order_status'), 'expected'), wording)),
    fact('ex_factory', moment(field(order, 'desired_ex_factory_date'), wording)),
    fact('desired_delivery', moment(field(order, 'desired_delivery_date'), wording)),
  ]
}

export function locationFacts(data: Json | undefined): readonly MaybeFact[] {
  const location = field(data, 'object')
  const town = [textField(location, 'zip_code'), textField(location, 'city')].filter((each) => each !== null).join(' ')
  const parts = [textField(location, 'address'), town, textField(location, 'country')]
  return [
    fact('company', textField(location, 'company_name')),
    fact('address', parts.filter((part) => part !== null && part !== '').join(', ')),
    fact('opening_hours', textField(location, 'opening_hours')),
  ]
}

export function preparationFacts(data: Json | undefined, wording: Wording): readonly MaybeFact[] {
  const preparation = field(data, 'object')
  return [
    fact('name', textField(preparation, 'name')),
    fact('mode', wordsOf(field(preparation, 'freight_method'), wording)),
    fact('pickup', moment(field(field(preparation, 'instructions'), 'target_pickup_date'), wording)),
    fact('references', listOf(field(preparation, 'picking_references'), wording)),
  ]
}

function productOf(product: Json | undefined): string | null {
  const [name, sku] = [textField(product, 'name') ?? textField(product, 'description'), textField(product, 'sku')]
  return name !== null && sku !== null ? `${name} (${sku})` : (name ?? sku)
}

/** What of an order line went with the shipment that the event is about, container by container. */
function shippedOf(data: Json | undefined, wording: Wording): string | null {
  const shipment = textField(data, 'shipment_id')
  const assigned = elements(field(field(data, 'line'), 'assigned_order_lines'))
  const own = assigned.find((each) => shipment !== null && textField(each, 'platform_shipment_id') === shipment)
  const shipped = elements(field(own, 'shipped_order_lines')).map((each) => {
    const [quantity, container] = [textField(each, 'shipped_quantity'), textField(each, 'container_number')]
    return container === null
      ? (quantity ?? '–')
      : filled(wording.terms.shippedIn, { quantity: quantity ?? '–', container })
  })
  return listOf(shipped, wording)
}

function elements(list: Json | undefined): readonly Json[] {
  return list !== undefined && isJsonArray(list) ? list : []
}
