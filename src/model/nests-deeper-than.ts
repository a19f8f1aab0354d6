import type { Json } from './json.ts'

type Container = Extract<Json, object>

/** Whether objects and arrays lie more than `limit` levels inside each other; a flat object is one level. Never recurses. */
export function nestsDeeperThan(value: Json, limit: number): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return true
    const next: Container[] = []
    for (const container of level) {
      for (const child of Object.values<Json>(container)) if (isContainer(child)) next.push(child)
    }
    level = next
  }
  return false
}

function isContainer(value: Json): value is Container {
  return typeof value === 'object' && value !== null
}
