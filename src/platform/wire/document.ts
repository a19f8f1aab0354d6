import { z } from 'zod'
import { choice, number, simpleDate, text } from './value.ts'

/** A document, in its list and alone. `type` is null until somebody classifies the document; the unit of `size` is not shown. */
export const documentSchema = z.looseObject({
  id: text,
  name: text,
  type: choice<DocumentType>(),
  platform_shipment_id: text,
  link: text,
  size: number,
  uploaded_at: simpleDate,
})

type DocumentType =
  | 'packing_list'
  | 'commercial_invoice'
  | 'master_bill_of_lading'
  | 'house_bill_of_lading'
  | 'master_airway_bill'
  | 'house_airway_bill'
  | 'proof_of_delivery'
  | 'dangerous_goods_declaration'
  | 'material_safety_data_sheet'
  | 'exa'
  | 'cmr'
  | 'ima'
  | 'power_of_attorney_customs_declaration'
  | 'power_of_attorney_eur1'
  | 'eur1'
  | 'entry_summary'
  | 't1'
  | 'cargo_manifest'
  | 'cargo_screening'
  | 'lithium_certificate'
  | 'carta_de_plastico'
  | 'levante'
  | 'ddi'
  | 'dde'
  | 'pickup_form'
