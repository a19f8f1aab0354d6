/** How long `g` waits for the key after it. */
const CHORD_MS = 1_500

/** The keys that `?` lists. A row is where its link has the focus, so that Enter opens it without help. */
export function startKeys() {
  let goingSince = -Infinity
  const dialog = document.getElementById('keys')
  const showKeys = () => dialog instanceof HTMLDialogElement && !dialog.open && dialog.showModal()
  for (const button of document.querySelectorAll('[data-keys]')) {
    button.removeAttribute('hidden')
    button.addEventListener('click', showKeys)
  }
  document.addEventListener('keydown', (event) => {
    if (isSearchKey(event) && search()) return event.preventDefault()
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target)) return leave(event)
    if (dialog instanceof HTMLDialogElement && dialog.open) return
    const isGoing = performance.now() - goingSince < CHORD_MS
    goingSince = -Infinity
    if (isGoing && follow(`[data-go="${CSS.escape(event.key)}"]`)) return event.preventDefault()
    switch (event.key) {
      case 'g':
        goingSince = performance.now()
        return
      case '?':
        showKeys()
        break
      case '/':
        if (!search()) return
        break
      case 'j':
        move(1)
        break
      case 'k':
        move(-1)
        break
      case 'a':
        if (!acknowledge()) return
        break
      case 'n':
        follow('a[rel="next"]')
        break
      case 'p':
        follow('a[rel="prev"]')
        break
      default:
        return
    }
    event.preventDefault()
  })
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}

/**
 * Escape gives the keys back to the page.
 *
 * @param {KeyboardEvent} event
 */
function leave({ isComposing, key, target }) {
  if (key === 'Escape' && !isComposing && target instanceof HTMLElement) target.blur()
}

/** @param {string} selector */
function follow(selector) {
  const link = document.querySelector(selector)
  if (!(link instanceof HTMLAnchorElement)) return false
  link.click()
  return true
}

/**
 * Ctrl-K, or Cmd-K where that is the key of commands: also while somebody types.
 *
 * @param {KeyboardEvent} event
 */
function isSearchKey({ altKey, ctrlKey, defaultPrevented, key, metaKey, shiftKey }) {
  return !defaultPrevented && !altKey && !shiftKey && ctrlKey !== metaKey && key.toLowerCase() === 'k'
}

function search() {
  const field = document.querySelector('[data-find]')
  if (!(field instanceof HTMLInputElement)) return false
  field.focus()
  field.select()
  return true
}

/** Leads to the note of the row that one is on, else of the first that has one; what it stands in is sent by Enter. */
function acknowledge() {
  const rows = [...document.querySelectorAll('[data-row]')]
  const here = rows.find((row) => row.contains(document.activeElement))
  const field = (here ?? document).querySelector('[data-acknowledge]')
  if (!(field instanceof HTMLInputElement)) return false
  field.focus()
  field.closest('[data-row]')?.scrollIntoView({ block: 'nearest' })
  return true
}

/**
 * The rows that are in sight, each by its first link: what is folded away is passed over, and a row within another is one of its own.
 *
 * @param {1 | -1} step
 */
function move(step) {
  const rows = [...document.querySelectorAll('[data-row]')].flatMap((row) => {
    const link = [...row.querySelectorAll('a[href]')].find((each) => each.checkVisibility())
    return link instanceof HTMLElement && link.closest('[data-row]') === row ? [{ row, link }] : []
  })
  const here = rows.findLastIndex(({ row }) => row.contains(document.activeElement))
  const there = here === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.min(Math.max(here + step, 0), rows.length - 1)
  const next = rows[there]
  if (next === undefined) return
  next.link.focus({ preventScroll: true })
  next.row.scrollIntoView({ block: 'nearest' })
}
