import type { Random } from '../../src/sandbox/random.ts'
import { dropped, edited, farDate } from './edits.ts'
import type { Move, Step, Tracking } from './facts.ts'

const STATUSES = ['planned', 'in_transit', 'arrived', 'on_hold']
const TYPES = ['departure', 'arrival', 'transshipment']
const PORTS = ['CNSHA', 'FRLEH', 'SGSIN']
const DESCRIPTIONS = ['Gate in', 'Loaded', 'Vessel departed']
const CONTAINERS = [null, 'MSKU1000001', 'MSKU1000002'] as const

export function bornTracking(random: Random, id: string): Tracking {
  const empty = { platform_shipment_id: id, status: random.pick(STATUSES), tracking_steps: [] }
  return addMove(random, addMove(random, empty))
}

export function editTracking(random: Random, tracking: Tracking): Tracking {
  const steps = tracking.tracking_steps
  return random.pick([
    () => ({ ...tracking, status: random.pick(STATUSES) }),
    () => addMove(random, tracking),
    () => addMove(random, tracking),
    () =>
      withSteps(
        tracking,
        edited(random, steps, (step) => ({ ...step, events: dropped(random, step.events) })),
      ),
    () =>
      withSteps(
        tracking,
        edited(random, steps, (step) => editMove(random, step)),
      ),
    () =>
      withSteps(
        tracking,
        edited(random, steps, (step) => editMove(random, step)),
      ),
    () =>
      withSteps(
        tracking,
        edited(random, steps, (step) => again(random, step)),
      ),
    () =>
      withSteps(
        tracking,
        edited(random, steps, (step) => moveCity(random, step)),
      ),
  ])()
}

function withSteps(tracking: Tracking, steps: readonly Step[]): Tracking {
  return { ...tracking, tracking_steps: steps.filter(({ events }) => events.length > 0) }
}

/** An event that differs from all others by what it is; nothing where there is one already. */
function addMove(random: Random, tracking: Tracking): Tracking {
  const [type, unlocode] = [random.pick(TYPES), random.pick(PORTS)]
  const move = {
    description: random.pick(DESCRIPTIONS),
    container_number: random.pick(CONTAINERS),
    date: farDate(random),
    status: random.pick(['estimated', 'actual']),
  }
  const steps = tracking.tracking_steps
  const step = steps.find((each) => each.type === type && each.port.unlocode === unlocode)
  const events = step?.events ?? []
  if (events.some((each) => isOneMove(each, move))) return tracking
  const next = { type, port: step?.port ?? { unlocode, city: 'Port' }, events: [...events, move] }
  return { ...tracking, tracking_steps: [...steps.filter((each) => each !== step), next] }
}

/** Events of one identity are all actual, so that which of them changed is never a matter of opinion. */
function editMove(random: Random, step: Step): Step {
  const events = edited(random, step.events, (move) => {
    const alone = step.events.filter((each) => isOneMove(each, move)).length === 1
    return alone && random.chance(0.6)
      ? { ...move, status: random.pick(['estimated', 'actual', 'planned']) }
      : { ...move, date: farDate(random) }
  })
  return { ...step, events }
}

/** The same move a second time. */
function again(random: Random, step: Step): Step {
  const move = random.pick(step.events)
  if (move.status !== 'actual') return step
  return { ...step, events: [...step.events, { ...move, date: farDate(random) }] }
}

function moveCity(random: Random, step: Step): Step {
  return { ...step, port: { ...step.port, city: random.pick(['Port', 'Harbour', 'Terminal 4']) } }
}

function isOneMove(one: Move, other: Move): boolean {
  return one.description === other.description && one.container_number === other.container_number
}
