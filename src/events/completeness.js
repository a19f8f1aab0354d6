// Which positions of a subscription came, told by what its receiver was given alone: no I/O, no clock.

/** @import * as Types from './index.d.ts' */

/**
 * What came of one series: `ranges` of positions, both ends included, in order, none touching another. `first` is where
 * looking for gaps begins, `through` the greatest `complete_through` of its watermarks.
 * @typedef {{ series: string | null, first: number | null, through: number, ranges: [number, number][] }} Track
 */

const VERSION = 1
/** The most series that are remembered, the current one first: a straggler of an earlier one begins nothing anew. */
const MOST_SERIES = 4
const LONGEST_SERIES = 200

/** @type {typeof Types.completeness} */
export const completeness = ({ after, state } = {}) => {
  if (after !== undefined && !isCount(after)) throw new TypeError('`after` must be a position, or 0 for all.')
  let { fromStart, newest, restarted, tracks } = stateOf(state) ?? {
    fromStart: after !== undefined,
    newest: null,
    restarted: false,
    tracks: after === undefined ? [] : [trackOf(null, true, after)],
  }

  /**
   * Makes a series the current one.
   * @param {Track} track
   */
  const lead = (track) => {
    if (tracks.length > 0) restarted = true
    tracks = [track, ...tracks.filter((each) => each !== track)].slice(0, MOST_SERIES)
    return track
  }

  /**
   * The track of a series; what names none belongs to the current one. A series that was never heard of begins anew.
   * @param {string | null} series
   */
  const follow = (series) => {
    const [current] = tracks
    if (current !== undefined && (series === null || current.series === null)) {
      current.series ??= series
      return current
    }
    return tracks.find((track) => track.series === series) ?? lead(trackOf(series, fromStart))
  }

  /**
   * A watermark is tried once and at once, so the newest one says which series is the current one: a straggler that seemed
   * to begin one leads no longer than until then.
   * @param {Watermark} watermark
   */
  const followWatermark = ({ at, series, through }) => {
    const isNew = !tracks.some((track) => track.series === series)
    if (isNew && at !== null && newest !== null && at < newest) return
    const track = follow(series)
    track.through = Math.max(track.through, through)
    if (at === null || (newest !== null && at <= newest)) return
    newest = at
    if (track !== tracks[0]) lead(track)
  }

  return {
    seen(item) {
      const watermark = watermarkOf(item)
      if (watermark !== null) return followWatermark(watermark)
      for (const { position, series } of placesOf(item)) {
        const track = follow(series)
        track.first = Math.min(track.first ?? position, position)
        add(track.ranges, position, position)
      }
      const told = toldOf(item)
      if (told !== null) add(follow(seriesOf(item)).ranges, told.from, told.to)
      const goneThrough = goneThroughOf(item)
      if (goneThrough > 0) add(follow(seriesOf(item)).ranges, 1, goneThrough)
    },
    missing() {
      const [current] = tracks
      return current === undefined ? [] : gapsOf(current)
    },
    restarted() {
      const was = restarted
      restarted = false
      return was
    },
    toJSON: () => structuredClone({ version: VERSION, fromStart, newest, restarted, tracks }),
  }
}

/** @param {string | null} series @param {boolean} fromStart @param {number} after @returns {Track} */
function trackOf(series, fromStart, after = 0) {
  return { series, first: fromStart ? 1 : null, through: 0, ranges: after === 0 ? [] : [[1, after]] }
}

/**
 * Joins a range to those that are there.
 * @param {Track['ranges']} ranges
 * @param {number} from
 * @param {number} to
 */
function add(ranges, from, to) {
  const at = lowerBound(ranges, from - 1)
  let end = at
  while (end < ranges.length && (ranges[end]?.[0] ?? 0) <= to + 1) end += 1
  // A neighbour that does not touch it begins later, or ended earlier.
  ranges.splice(at, end - at, [Math.min(from, ranges[at]?.[0] ?? from), Math.max(to, ranges[end - 1]?.[1] ?? to)])
}

/**
 * How many ranges end before a position.
 * @param {Track['ranges']} ranges
 * @param {number} position
 */
function lowerBound(ranges, position) {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[middle]?.[1] ?? 0) < position) low = middle + 1
    else high = middle
  }
  return low
}

/** @param {Track} track */
function gapsOf({ first, ranges, through }) {
  /** @type {[number, number][]} */
  const gaps = []
  if (first === null) return gaps
  let next = first
  for (const [from, to] of ranges) {
    if (from > through) break
    if (next < from) gaps.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  if (next <= through) gaps.push([next, through])
  return gaps
}

/** @typedef {{ at: number | null, series: string, through: number }} Watermark */

/** @param {unknown} item @returns {Watermark | null} */
function watermarkOf(item) {
  if (!isObject(item) || item['type'] !== 'shipbell.watermark' || !isObject(item['data'])) return null
  const [series, through] = [seriesOf(item['data']), item['data']['complete_through']]
  if (series === null) return null
  const at = typeof item['timestamp'] === 'string' ? Date.parse(item['timestamp']) : NaN
  return { at: Number.isNaN(at) ? null : at, series, through: isCount(through) ? through : 0 }
}

/** @typedef {{ position: number, series: string | null }} Place */

/**
 * The positions that an event, an item of the feed or a page of it stands for.
 * @param {unknown} item
 * @returns {Place[]}
 */
function placesOf(item) {
  const page = pageOf(item)
  return page === null ? placeOf(item, null) : page.items.flatMap((each) => placeOf(each, seriesOf(page)))
}

/** @param {unknown} item @param {string | null} pageSeries @returns {Place[]} */
function placeOf(item, pageSeries) {
  if (!isObject(item)) return []
  // An event has a position in `delivery`, and as CloudEvents in an attribute of 16 digits; an item of the feed has its own.
  const { position, series } = isObject(item['delivery']) ? item['delivery'] : item
  const number = typeof position === 'string' && /^\d{1,16}$/.test(position) ? Number(position) : position
  if (!isCount(number) || number === 0) return []
  const payload = isObject(item['payload']) ? item['payload'] : {}
  const inside = seriesOf(payload['delivery']) ?? seriesOf(payload)
  return [{ position: number, series: pageSeries ?? seriesOf({ series }) ?? inside }]
}

/**
 * @param {unknown} item
 * @returns {{ after?: unknown, series?: unknown, items: unknown[], first?: unknown, next?: unknown, head?: unknown } | null}
 */
function pageOf(item) {
  if (!isObject(item) || !Array.isArray(item['items'])) return null
  return { ...item, items: item['items'] }
}

/**
 * The positions that a page says everything of, if it was given the `after` that it was asked with: what is not on it is no
 * longer kept. Null: it says so of none.
 * @param {unknown} item
 * @returns {{ from: number, to: number } | null}
 */
function toldOf(item) {
  const page = pageOf(item)
  if (page === null || !isCount(page.after)) return null
  const to = page.next ?? page.head
  return isCount(to) && to > page.after ? { from: page.after + 1, to } : null
}

/**
 * Up to where a page of the feed, or an item that was given its `first`, says that nothing is kept any more; 0: nowhere.
 * @param {unknown} item
 */
function goneThroughOf(item) {
  const { first, head } = isObject(item) ? item : {}
  if (first === null && pageOf(item) !== null) return isCount(head) ? head : 0
  return isCount(first) && first > 0 ? first - 1 : 0
}

/** @param {unknown} value @returns {string | null} */
function seriesOf(value) {
  const series = isObject(value) ? value['series'] : null
  return typeof series === 'string' && series !== '' && series.length <= LONGEST_SERIES ? series : null
}

/**
 * A state that was kept, judged as what may have been altered; null: there is none.
 * @param {unknown} state
 * @returns {{ fromStart: boolean, newest: number | null, restarted: boolean, tracks: Track[] } | null}
 */
function stateOf(state) {
  if (state === undefined || state === null) return null
  if (!isObject(state) || state['version'] !== VERSION)
    throw new TypeError('`state` is not what `toJSON` of this version gives.')
  const { fromStart, newest, restarted, tracks } = state
  const isNewest = newest === null || (typeof newest === 'number' && Number.isFinite(newest))
  if (typeof fromStart !== 'boolean' || typeof restarted !== 'boolean' || !isNewest || !Array.isArray(tracks))
    throw new TypeError('`state` is damaged.')
  const judged = tracks.map(judgedTrack)
  if (judged.length > MOST_SERIES || new Set(judged.map(({ series }) => series)).size < judged.length)
    throw new TypeError('`state` has a series twice, or too many.')
  return { fromStart, newest, restarted, tracks: judged }
}

/** @param {unknown} track @returns {Track} */
function judgedTrack(track) {
  const { first = 0, ranges, series = 0, through } = isObject(track) ? track : {}
  const isSeries = series === null || series === seriesOf(track)
  if (!isSeries || !(first === null || (isCount(first) && first > 0)) || !isCount(through) || !Array.isArray(ranges))
    throw new TypeError('`state` has a series that is damaged.')
  /** @type {Track['ranges']} */
  const judged = []
  for (const range of ranges) {
    const [from, to] = Array.isArray(range) && range.length === 2 ? range : []
    if (!isCount(from) || !isCount(to) || from > to || from <= (judged.at(-1)?.[1] ?? -1) + 1)
      throw new TypeError('`state` has ranges that are damaged.')
    judged.push([from, to])
  }
  return { series: seriesOf(track), first, through, ranges: judged }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === 'object' && value !== null
}

/** @param {unknown} value @returns {value is number} */
function isCount(value) {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
