import type { Hub } from '../catalogue/hubs.ts'
import type { Site } from '../catalogue/sites.ts'
import type { Milestone } from '../../model/shipment.ts'
import type { Brief } from './brief.ts'

/** What will happen at a place, and when: at a milestone, or some part of the way from one to the next. */
export interface EventPlan {
  readonly description: string
  readonly at: { readonly milestone: Milestone } | { readonly after: Milestone; readonly part: number }
  /** Shown as an estimate before it happens; the others appear when they have. */
  readonly foreseen: boolean
  readonly perContainer: boolean
}

export interface StepPlan {
  readonly type: string
  readonly hub: Hub | null
  readonly site: Site | null
  readonly events: readonly EventPlan[]
}

/** The steps of a way, by mode; the doors only where the freight type reaches them. */
export function stepPlans(brief: Brief): readonly StepPlan[] {
  const { lane, freightType } = brief
  const fromDoor = freightType.startsWith('door')
  const toDoor = freightType.endsWith('door')
  const hubs = hubSteps(brief)
  const pickup: StepPlan = {
    type: 'pickup',
    hub: null,
    site: brief.pickup,
    events: [milestone('Cargo picked up', 'pickup')],
  }
  const delivery: StepPlan = {
    type: 'delivery',
    hub: null,
    site: brief.delivery,
    events: [sometime('Out for delivery', 'arrival', 0.9), milestone('Delivered', 'delivery')],
  }
  const via: readonly StepPlan[] = lane.via === null ? [] : [transhipment(lane.via)]
  return [...(fromDoor ? [pickup] : []), hubs.origin, ...via, hubs.destination, ...(toDoor ? [delivery] : [])]
}

function milestone(description: string, at: Milestone): EventPlan {
  return { description, at: { milestone: at }, foreseen: true, perContainer: false }
}

function sometime(description: string, after: Milestone, part: number): EventPlan {
  return { description, at: { after, part }, foreseen: false, perContainer: false }
}

function perContainer(description: string, after: Milestone, part: number): EventPlan {
  return { ...sometime(description, after, part), perContainer: true }
}

function transhipment(hub: Hub): StepPlan {
  const arrival: EventPlan = { ...sometime('Vessel arrival', 'departure', 0.3), foreseen: true }
  const departure: EventPlan = { ...sometime('Vessel departure', 'departure', 0.42), foreseen: true }
  return {
    type: 'transhipment_port',
    hub,
    site: null,
    events: [
      arrival,
      perContainer('Discharged at transhipment port', 'departure', 0.33),
      perContainer('Loaded at transhipment port', 'departure', 0.4),
      departure,
    ],
  }
}

function hubSteps(brief: Brief): { readonly origin: StepPlan; readonly destination: StepPlan } {
  const { mode, origin, destination } = brief.lane
  const [there, here, before, after] = EVENTS[mode]
  return {
    origin: { type: there, hub: origin, site: null, events: before },
    destination: { type: here, hub: destination, site: null, events: after },
  }
}

const EVENTS: Readonly<
  Record<Brief['lane']['mode'], readonly [string, string, readonly EventPlan[], readonly EventPlan[]]>
> = {
  ocean: [
    'origin_port',
    'destination_port',
    [
      perContainer('Gate in at port of loading', 'pickup', 0.5),
      sometime('Export customs cleared', 'pickup', 0.65),
      perContainer('Loaded on vessel', 'pickup', 0.88),
      milestone('Vessel departure', 'departure'),
    ],
    [
      milestone('Vessel arrival', 'arrival'),
      perContainer('Discharged from vessel', 'arrival', 0.2),
      { ...sometime('Import customs cleared', 'arrival', 0.5), foreseen: true },
      perContainer('Gate out full', 'arrival', 0.75),
    ],
  ],
  rail: [
    'origin_terminal',
    'destination_terminal',
    [perContainer('Gate in at rail terminal', 'pickup', 0.5), milestone('Train departure', 'departure')],
    [
      sometime('Border crossing', 'departure', 0.7),
      milestone('Train arrival', 'arrival'),
      { ...sometime('Import customs cleared', 'arrival', 0.4), foreseen: true },
      perContainer('Gate out', 'arrival', 0.7),
    ],
  ],
  air: [
    'origin_airport',
    'destination_airport',
    [
      sometime('Received at airline warehouse', 'pickup', 0.5),
      sometime('Export customs cleared', 'pickup', 0.7),
      milestone('Flight departure', 'departure'),
    ],
    [
      milestone('Flight arrival', 'arrival'),
      sometime('Checked in at warehouse', 'arrival', 0.2),
      { ...sometime('Import customs cleared', 'arrival', 0.5), foreseen: true },
    ],
  ],
  truck: [
    'origin_hub',
    'destination_hub',
    [sometime('Loaded on truck', 'pickup', 0.6), milestone('Truck departure', 'departure')],
    [milestone('Truck arrival', 'arrival'), sometime('Unloaded at hub', 'arrival', 0.3)],
  ],
}
