import { EVENT_CATALOGUE } from '../model/event-catalogue.ts'
import { MILESTONES } from '../model/shipment.ts'

const MODES = ['air', 'ocean', 'rail', 'truck']

const CONTAINER_TYPES = [
  ...['standard', 'reefer', 'flat_rack', 'open_top'].flatMap((kind) => [
    `twenty_foot_${kind}`,
    `forty_foot_${kind}`,
    `forty_foot_highcube_${kind}`,
  ]),
  'forty_five_foot_highcube_standard',
]

const DOCUMENT_TYPES = [
  'packing_list',
  'commercial_invoice',
  'master_bill_of_lading',
  'house_bill_of_lading',
  'master_airway_bill',
  'house_airway_bill',
  'proof_of_delivery',
  'dangerous_goods_declaration',
  'material_safety_data_sheet',
  'exa',
  'cmr',
  'ima',
  'power_of_attorney_customs_declaration',
  'power_of_attorney_eur1',
  'eur1',
  'entry_summary',
  't1',
  'cargo_manifest',
  'cargo_screening',
  'lithium_certificate',
  'carta_de_plastico',
  'levante',
  'ddi',
  'dde',
  'pickup_form',
]

/**
 * The words that a field of a payload may be, by its name: those of the platform's interface and our own. Several lists
 * where fields of one name are of several kinds.
 */
export const KNOWN_WORDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  type: [
    EVENT_CATALOGUE.map(({ type }) => type),
    ['invoice', 'credit_note'],
    DOCUMENT_TYPES,
    ['pallet', 'package', 'rigid_crate'],
  ],
  status: [
    ['booking_request', 'awaiting_booking', 'booked', 'draft', 'in_progress', 'finished', 'cancelled'],
    ['available', 'due', 'in_modification', 'litigious', 'new', 'paid', 'partially_paid', 'write_off'],
    ['estimated', 'actual', 'planned', 'problem'],
  ],
  freight_mode: [MODES],
  freight_method: [MODES],
  load_type: [['fcl', 'lcl', 'both']],
  freight_type: [['port_to_door', 'door_to_port', 'door_to_door', 'port_to_port']],
  incoterm: [['exw', 'fca', 'fas', 'fob', 'cpt', 'cfr', 'cif', 'cip', 'dap', 'ddp', 'dpu', 'dat']],
  invoice_status: [['available', 'awaiting_invoice', 'due', 'paid', 'partially_paid']],
  container_type: [CONTAINER_TYPES],
  lithium_packaging_type: [['alone', 'contained', 'packed']],
  client_role_on_order: [['buyer', 'seller']],
  milestone: [MILESTONES],
  direction: [['later', 'earlier', 'none']],
}
