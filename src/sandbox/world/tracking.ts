import type { JsonObject } from '../../model/json.ts'
import { MILESTONES, type Milestone } from '../../model/shipment.ts'
import { dateTimeText } from '../date-text.ts'
import type { Step, StepEvent } from '../life/follow-steps.ts'
import type { Life } from '../life/life.ts'
import { countBy, valueAt } from '../life/timeline.ts'
import type { Fleet } from './fleet.ts'
import { renderLocation } from './locations.ts'
import { rememberLast } from './remember-last.ts'
import type { Shelf } from './shelf.ts'

export function trackingShelf(fleet: Fleet): Pick<Shelf, 'find'> {
  const render = rememberLast(renderTracking)
  return {
    find: (id, time) => {
      const life = fleet.byId(id, time)
      return life === null ? null : render(life, time)
    },
  }
}

/** A life's tracking at a moment. Before it is tracked there are no steps, and no positions before it is at sea. */
export function renderTracking(life: Life, time: number): JsonObject {
  const shownAt = Math.min(time, life.cancelledAt)
  return {
    platform_shipment_id: life.brief.id,
    status: trackingStatus(life, time),
    tracking_steps: shownAt < life.trackedFrom ? [] : life.steps.map((step) => renderStep(life, step, shownAt)),
    ocean_coordinates: life.positions.slice(0, countBy(life.positions, shownAt)).map(({ value }) => ({
      latitude: value.latitude.toFixed(4),
      longitude: value.longitude.toFixed(4),
    })),
  }
}

function renderStep(life: Life, step: Step, time: number): JsonObject {
  const { hub, site } = step
  return {
    type: step.type,
    location: site === null ? null : renderLocation(site),
    port: hub === null ? null : { unlocode: hub.unlocode, city: hub.city, country: hub.country },
    events: step.events.flatMap((event) => renderEvent(event, life.brief.offsetMinutes, time)),
  }
}

function renderEvent(event: StepEvent, offsetMinutes: number, time: number): readonly JsonObject[] {
  const shown = valueAt(event.shown, time) ?? null
  if (shown === null) return []
  const { description, container } = event
  return [
    {
      description,
      container_number: container,
      date: dateTimeText(shown.instant, offsetMinutes),
      status: shown.status,
    },
  ]
}

const REACHED: Readonly<Record<Milestone, string>> = {
  pickup: 'picked_up',
  departure: 'in_transit',
  arrival: 'arrived',
  delivery: 'delivered',
}

/** The last milestone that is shown as done names the status. So a withdrawn milestone takes the status back, too. */
function trackingStatus(life: Life, time: number): string {
  if (time >= life.cancelledAt) return 'cancelled'
  if (time < life.trackedFrom) return 'not_started'
  const reached = MILESTONES.findLast(
    (milestone) => valueAt(life.course.milestones[milestone], time)?.status === 'actual',
  )
  return reached === undefined ? 'awaiting_pickup' : REACHED[reached]
}
