import type { Lane } from '../catalogue/lanes.ts'
import type { Entry, Timeline } from './timeline.ts'
import type { Course } from './chart-course.ts'
import { HOUR } from './pace.ts'

export interface Position {
  readonly latitude: number
  readonly longitude: number
}

const REPORT_EVERY = 12 * HOUR

/** Positions reported while at sea, one every twelve hours along the lane's track; none on land or in the air. */
export function sail(lane: Lane, course: Course): Timeline<Position> {
  if (lane.mode !== 'ocean') return []
  const departed = course.facts.departure
  const arrived = course.facts.arrival.instant
  const points: readonly (readonly [number, number])[] = [
    [lane.origin.latitude, lane.origin.longitude],
    ...lane.track,
    [lane.destination.latitude, lane.destination.longitude],
  ]
  const entries: Entry<Position>[] = []
  for (let at = departed.reportedAt + HOUR; at < arrived; at += REPORT_EVERY) {
    entries.push({ at, value: along(points, (at - departed.instant) / (arrived - departed.instant)) })
  }
  return entries
}

/** The point after `part` of a way over degrees; across the date line the shorter way. */
function along(points: readonly (readonly [number, number])[], part: number): Position {
  const legs = points.slice(1).map((to, index) => {
    const from = points[index] ?? to
    const east = ((to[1] - from[1] + 540) % 360) - 180
    return { from, north: to[0] - from[0], east, length: Math.hypot(to[0] - from[0], east) }
  })
  let rest = part * legs.reduce((sum, leg) => sum + leg.length, 0)
  for (const { from, north, east, length } of legs) {
    if (rest <= length) {
      const share = length === 0 ? 0 : rest / length
      return { latitude: from[0] + north * share, longitude: ((from[1] + east * share + 540) % 360) - 180 }
    }
    rest -= length
  }
  const [latitude, longitude] = points.at(-1) ?? [0, 0]
  return { latitude, longitude }
}
