import type { JsonObject } from '../../model/json.ts'
import { siteId, type Site } from '../catalogue/sites.ts'

/** A site as the interface's Location; the hours are those it opened with where none are given. */
export function renderLocation(site: Site, openingHours: string = site.openingHours): JsonObject {
  return {
    id: siteId(site),
    company_name: site.company,
    name: `${site.company}, ${site.city}`,
    address: site.address,
    city: site.city,
    zip_code: site.zip,
    country: site.country,
    contacts: [{ ...site.contact }],
    opening_hours: openingHours,
    requires_appointment: site.requiresAppointment,
    requires_tailgate_truck: site.requiresTailgate,
    additional_information: site.note,
  }
}
