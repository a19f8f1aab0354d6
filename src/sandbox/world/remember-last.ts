import type { JsonObject } from '../../model/json.ts'
import type { Life } from '../life/life.ts'
import { momentsOf } from '../life/moments-of.ts'
import { countBy } from '../life/timeline.ts'

/** Renders a life again only when something of it has changed since the last time it was asked for. */
export function rememberLast(
  render: (life: Life, time: number) => JsonObject,
): (life: Life, time: number) => JsonObject {
  const known = new WeakMap<
    Life,
    { readonly moments: readonly { readonly at: number }[]; count: number; record: JsonObject | null }
  >()
  return (life, time) => {
    let last = known.get(life)
    if (last === undefined) {
      last = { moments: momentsOf(life), count: 0, record: null }
      known.set(life, last)
    }
    const count = countBy(last.moments, time)
    if (last.record === null || last.count !== count) {
      last.record = render(life, time)
      last.count = count
    }
    return last.record
  }
}
