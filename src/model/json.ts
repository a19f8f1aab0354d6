/** A parsed JSON value, as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The own field of an object, or undefined for anything else: inherited names (`constructor`) are never fields. */
export function field(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

export function textField(value: Json | undefined, key: string): string | null {
  return asText(field(value, key))
}

/** Text of a string or number; null for everything else and for the empty string. */
export function asText(value: Json | undefined): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

type Container = Extract<Json, object>

/** Whether objects and arrays lie more than `limit` levels inside each other; a flat object is one level. Never recurses. */
export function nestsDeeperThan(value: Json, limit: number): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return true
    const next: Container[] = []
    for (const container of level) collectContainers(container, next)
    level = next
  }
  return false
}

function collectContainers(container: Container, found: Container[]): void {
  if (isJsonArray(container)) {
    for (const child of container) if (isContainer(child)) found.push(child)
    return
  }
  for (const name in container) {
    const child = container[name] ?? null
    if (isContainer(child)) found.push(child)
  }
}

function isContainer(value: Json): value is Container {
  return typeof value === 'object' && value !== null
}
