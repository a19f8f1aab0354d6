import { readPage } from './read-page.js'
import { morphChildren } from './morph.js'

const NAME = 'shipbell.seen'
/** Of how many records it is known what was seen of them: those that were looked at last. */
const MOST = 1_000

/**
 * What changed of a record since this browser showed it last. The browser keeps the newest sequence that it showed (`data-seen`,
 * `data-version`); a link of a message names the event that it tells of (`#since=SEQUENCE`). The server says what changed since (`?seen=SEQUENCE`), in the region `since`.
 */
export function startSeen() {
  const record = document.querySelector('[data-seen]')
  if (!(record instanceof HTMLElement)) return
  const last = read()[record.dataset['seen'] ?? '']
  const told = Number(/^#since=(\d{1,15})$/.exec(location.hash)?.[1] ?? 0)
  if (told > 0) {
    mark(document.getElementById(`since-${told}`))
    void showSince(told - 1, 'told')
  } else if (typeof last === 'number' && last < versionOf(record)) void showSince(last, 'looked')
  remember(record)
  document.addEventListener('desk:swapped', () => remember(record))
}

/**
 * Marks an event, and the entry that it is part of, which opens.
 *
 * @param {Element | null} event
 */
function mark(event) {
  event?.setAttribute('data-told', '')
  const details = event?.closest('details')
  details?.setAttribute('open', '')
  details?.closest('li')?.setAttribute('data-told', '')
}

/**
 * @param {number} version
 * @param {'told' | 'looked'} since
 */
async function showSince(version, since) {
  const address = new URL(location.href)
  if (address.searchParams.has('seen')) return
  address.searchParams.set('seen', String(version))
  const region = document.getElementById('since')
  const next = await readPage(address.href).catch(() => null)
  const changed = next?.getElementById('since')
  if (region === null || changed === null || changed === undefined) return
  const then = changed.querySelector('[data-then]')
  if (then instanceof HTMLElement) then.textContent = then.dataset[`${since}Word`] ?? ''
  region.removeAttribute('hidden')
  morphChildren(region, changed)
}

/** @param {HTMLElement} record */
function remember(record) {
  if (document.hidden) return
  const { [record.dataset['seen'] ?? '']: _, ...others } = read()
  const kept = Object.entries(others).slice(1 - MOST)
  try {
    localStorage.setItem(
      NAME,
      JSON.stringify(Object.fromEntries([...kept, [record.dataset['seen'], versionOf(record)]])),
    )
  } catch {
    // A browser that keeps nothing shows what there is all the same.
  }
}

/** @param {HTMLElement} record */
function versionOf(record) {
  return Number(record.dataset['version'] ?? 0)
}

/** @returns {Readonly<Record<string, unknown>>} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? '{}')
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}
