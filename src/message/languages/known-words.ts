/** Words of the platform that languages have a name for: values of its enums, and the fields that change most. */
export type KnownWord = Status | Mode | Container | DocumentType | Thing | Step | Field

type Status =
  | ('booking_request' | 'awaiting_booking' | 'booked' | 'draft' | 'in_progress' | 'finished' | 'cancelled')
  | ('available' | 'awaiting_invoice' | 'due' | 'paid' | 'partially_paid')
  | ('in_modification' | 'litigious' | 'new' | 'write_off')
  | ('near_departure' | 'at_sea' | 'near_arrival' | 'inland')
  | ('not_started' | 'picked_up' | 'in_transit' | 'departed' | 'arrived' | 'delivered')
  | ('planned' | 'estimated' | 'actual' | 'problem')

type Mode =
  | ('air' | 'ocean' | 'rail' | 'truck')
  | ('port_to_door' | 'door_to_port' | 'door_to_door' | 'port_to_port')
  | ('pallet' | 'package' | 'rigid_crate' | 'buyer' | 'seller')

type Container =
  | `${'twenty_foot' | 'forty_foot'}_${'standard' | 'reefer' | 'flat_rack' | 'open_top'}`
  | `forty_foot_highcube_${'standard' | 'reefer' | 'flat_rack' | 'open_top'}`
  | 'forty_five_foot_highcube_standard'

type DocumentType =
  | ('packing_list' | 'commercial_invoice' | 'master_bill_of_lading' | 'house_bill_of_lading')
  | ('master_airway_bill' | 'house_airway_bill' | 'proof_of_delivery' | 'dangerous_goods_declaration')
  | 'material_safety_data_sheet'

type Thing =
  | ('shipment' | 'invoice' | 'credit_note' | 'document' | 'purchase_order' | 'location' | 'order_preparation')
  | ('tracking' | 'account' | 'subscription')
  | ('pickup' | 'departure' | 'arrival' | 'delivery')

/** Where a step of a shipment's way is taken. */
type Step =
  | ('origin_port' | 'destination_port' | 'transhipment_port' | 'origin_terminal' | 'destination_terminal')
  | ('origin_airport' | 'destination_airport' | 'origin_hub' | 'destination_hub')

type Field =
  | ('name' | 'status' | 'type' | 'number' | 'vessel' | 'voyage' | 'flight_number' | 'carrier' | 'booking_number')
  | ('master_bill' | 'house_bill' | 'seal_number' | 'container_number' | 'container_type')
  | ('total_weight' | 'total_volume' | 'total_teus' | 'weight' | 'quantity' | 'size' | 'chargeable_weight')
  | ('shipped_quantity' | 'ordered_quantity' | 'assigned_quantity' | 'unit_price' | 'commercial_value')
  | ('desired_delivery_date' | 'desired_ex_factory_date' | 'cargo_ready_date' | 'due_date' | 'sent_date')
  | ('opening_hours' | 'address' | 'city' | 'zip_code' | 'country' | 'company_name' | 'supplier_name')
  | ('incoterm' | 'freight_mode' | 'load_type' | 'freight_type' | 'main_forwarder' | 'specific_instructions')
  | ('goods_description' | 'description' | 'category' | 'pickup_location_id' | 'delivery_location_id')
  | ('origin_port_unlocode' | 'destination_port_unlocode' | 'purchase_order_references' | 'invoice_references')
