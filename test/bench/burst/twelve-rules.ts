/** Twelve expectations as a logistics team would write them, of what a list of shipments alone shows. */
export const TWELVE_RULES = `expectations:
  picked-up:
    about: shipment
    when: shipment.status in ["booked", "in_progress"]
    by: after(shipment.main_tracking_dates.pickup_date, "24h")
    until: shipment.main_tracking_dates.pickup_date.status == "actual"
  departed:
    about: shipment
    by: after(shipment.main_tracking_dates.departure_date, "24h")
    until: shipment.main_tracking_dates.departure_date.status == "actual"
  arrived:
    about: shipment
    by: after(shipment.main_tracking_dates.arrival_date, "12h")
    until: shipment.main_tracking_dates.arrival_date.status == "actual"
  delivered:
    about: shipment
    severity: critical
    by: after(shipment.main_tracking_dates.delivery_date, "24h")
    until: shipment.main_tracking_dates.delivery_date.status == "actual"
  carrier-named:
    about: shipment
    by: before(shipment.main_tracking_dates.departure_date, "7d")
    until: shipment.booking_information.carrier != null
  master-bill:
    about: shipment
    when: shipment.freight_mode == "ocean"
    by: before(shipment.main_tracking_dates.departure_date, "2d")
    until: shipment.booking_information.master_bill != null
  containers-known:
    about: shipment
    when: shipment.load_type == "fcl"
    by: before(shipment.main_tracking_dates.departure_date, "1d")
    until: shipment.cargo.containers.exists(c, c.container_number != null)
  sealed:
    about: shipment
    when: shipment.load_type == "fcl"
    by: after(shipment.main_tracking_dates.departure_date, "2d")
    until: shipment.cargo.containers.all(c, c.seal_number != null)
  weight-known:
    about: shipment
    by: before(shipment.main_tracking_dates.departure_date, "3d")
    until: shipment.cargo.total_weight.value > 0.0
  value-declared:
    about: shipment
    when: shipment.needs_ad_valorem_insurance == false
    by: before(shipment.main_tracking_dates.arrival_date, "10d")
    until: shipment.commercial_value.amount > 0.0
  incoterm-agreed:
    about: shipment
    by: after(shipment.created_at, "48h")
    until: shipment.incoterm in ["fob", "exw", "cif", "dap", "ddp", "fca"]
  heard-of:
    about: shipment
    severity: critical
    when: shipment.status == "in_progress"
    by: after(last_change("shipment"), "21d")
`
