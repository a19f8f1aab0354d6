/** Offers the zones that the browser knows, its own first, once somebody is about to name one. */
export function startZones() {
  const field = document.querySelector('[data-zones]')
  if (!(field instanceof HTMLInputElement)) return
  field.addEventListener('focus', () => offer(field.list), { once: true })
}

/** @param {HTMLDataListElement | null} list */
function offer(list) {
  if (list === null) return
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const names = new Set([own, 'UTC', ...Intl.supportedValuesOf('timeZone')])
  list.replaceChildren(...[...names].map((name) => new Option(name === own ? `${name} (this browser)` : name, name)))
}
