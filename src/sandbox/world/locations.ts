import type { JsonObject } from '../../model/json.ts'
import { siteId, type Site } from '../catalogue/sites.ts'
import { randomOf } from '../random.ts'
import type { Fleet } from './fleet.ts'
import type { Shelf } from './shelf.ts'

const DAY = 86_400_000
/** How long opening hours stand at least. */
const HOURS_STAND = 60 * DAY

/** The account's address book, by id: a site stands in it from the birth of the first shipment that uses it. */
export function locationShelf(fleet: Fleet, seed: string): Shelf {
  const entries = new Map<number, { readonly site: Site; readonly at: number }>()
  let lives = 0
  const knownAt = (time: number): readonly Site[] => {
    for (const known = fleet.countBy(time); lives < known; lives += 1) {
      const { pickup, delivery, bornAt } = fleet.nth(lives).brief
      for (const site of [pickup, delivery]) {
        if (!entries.has(siteId(site))) entries.set(siteId(site), { site, at: bornAt })
      }
    }
    return [...entries]
      .filter(([, { at }]) => at <= time)
      .sort(([a], [b]) => a - b)
      .map(([, { site }]) => site)
  }
  const render = (site: Site, time: number) => renderLocation(site, openingHours(seed, site, time))
  return {
    page: ({ skip, take }, time) =>
      knownAt(time)
        .slice(skip, skip + take)
        .map((site) => render(site, time)),
    find: (id, time) => {
      const site = knownAt(time).find((each) => String(siteId(each)) === id)
      return site === undefined ? null : render(site, time)
    },
  }
}

/** The opening hours of a site, which looks at them at moments of its own; mostly they stay. */
function openingHours(seed: string, site: Site, time: number): string {
  const shift = randomOf(seed, 'hours', siteId(site)).between(0, HOURS_STAND)
  const random = randomOf(seed, 'hours', siteId(site), Math.floor((time + shift) / HOURS_STAND))
  return random.chance(0.6) ? site.openingHours : random.pick(['Mon-Fri 07:00-15:00', 'Mon-Fri 09:00-18:00'])
}

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
