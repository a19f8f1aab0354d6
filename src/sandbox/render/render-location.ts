import type { JsonObject } from '../../model/json.ts'
import { siteId, type Site } from '../catalogue/sites.ts'

/** A site as the interface's Location. */
export function renderLocation(site: Site): JsonObject {
  return {
    id: siteId(site),
    company_name: site.company,
    name: `${site.company}, ${site.city}`,
    address: site.address,
    city: site.city,
    zip_code: site.zip,
    country: site.country,
    contacts: [{ ...site.contact }],
    opening_hours: site.openingHours,
    requires_appointment: site.requiresAppointment,
    requires_tailgate_truck: site.requiresTailgate,
    additional_information: site.note,
  }
}
