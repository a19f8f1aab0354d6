import { morph } from './morph.js'
import { readPage } from './read-page.js'

/** What changes in quick succession is shown at once, then at most this often. */
const SHORTEST_MS = 1_000
/** Ages grow although nothing happens. */
const LONGEST_MS = 30_000

/** Keeps the regions with `data-live` as the server would show them now: the stream says that something changed. */
export function startLive() {
  if (document.querySelector('[data-live]') === null) return
  const page = new LivePage()
  const follow = () => (document.hidden ? page.rest() : page.follow())
  document.addEventListener('visibilitychange', follow)
  addEventListener('pagehide', () => page.rest())
  addEventListener('pageshow', follow)
  follow()
}

class LivePage {
  /** @type {EventSource | null} */
  #stream = null
  /** @type {number | undefined} */
  #timer = undefined
  #lastAt = 0
  #isReading = false
  /** Whether something happened since the page was asked for last. */
  #isStale = false

  /** A page in sight holds one stream; one that nobody sees holds none, for a browser has only six connections to a server. */
  follow() {
    if (this.#stream !== null) return
    const stream = new EventSource('/api/v1/stream')
    this.#stream = stream
    stream.addEventListener('open', () => {
      say('live', 'on')
      this.#soon()
    })
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED) {
        // The browser has given up: a refused stream is tried again with the next look.
        this.#stream = null
        say('lost', 'off')
      } else say('connecting', 'off')
    })
    for (const kind of kinds()) stream.addEventListener(kind, () => this.#soon())
    this.#later()
  }

  rest() {
    this.#stream?.close()
    this.#stream = null
    clearTimeout(this.#timer)
  }

  #soon() {
    this.#isStale = true
    this.#at(Math.max(this.#lastAt + SHORTEST_MS - performance.now(), 50))
  }

  #later() {
    // What is under way (`data-often`) says nothing in the stream.
    this.#at(document.querySelector('[data-often]') === null ? LONGEST_MS : SHORTEST_MS)
  }

  /** @param {number} ms */
  #at(ms) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#refresh(), ms)
  }

  async #refresh() {
    if (this.#isReading) return
    this.#isReading = true
    this.#isStale = false
    this.#lastAt = performance.now()
    try {
      swap(await readPage(location.href))
    } catch {
      say('lost', 'off')
    } finally {
      this.#isReading = false
    }
    if (document.hidden) return
    this.follow()
    if (this.#isStale) this.#soon()
    else this.#later()
  }
}

/** What of the stream concerns this page. */
function kinds() {
  const regions = [...document.querySelectorAll('[data-live]')]
  return new Set(regions.flatMap((region) => (region.getAttribute('data-live') ?? '').split(' ')))
}

/** @param {Document} next */
function swap(next) {
  for (const region of document.querySelectorAll('[data-live]')) {
    const match = next.getElementById(region.id)
    if (match !== null) morph(region, match)
  }
  document.dispatchEvent(new CustomEvent('desk:swapped'))
}

/**
 * @param {'live' | 'connecting' | 'lost'} what
 * @param {'on' | 'off'} state
 */
function say(what, state) {
  const place = document.getElementById('stream')
  const text = place?.dataset[`${what}Word`] ?? ''
  if (place === null || place.textContent === text) return
  place.textContent = text
  place.dataset['state'] = state
}
