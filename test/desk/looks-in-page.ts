/** Texts of elements of which a part lies outside their panel, where nothing scrolls. */
export const BEYOND_ITS_PANEL = `(() => {
  const beyond = []
  if (document.documentElement.scrollWidth > innerWidth) beyond.push('the page itself')
  for (const element of document.querySelectorAll('main *, header.top *, footer *')) {
    const box = element.parentElement.closest('.panel, .notice, main, header.top, footer')
    if (box === null || element.closest('svg, .unseen, dialog, datalist') !== null) continue
    const [place, bounds] = [element.getBoundingClientRect(), box.getBoundingClientRect()]
    if (place.width === 0 || (place.right <= bounds.right + 1 && place.left >= bounds.left - 1)) continue
    let around = element.parentElement
    while (around !== box && getComputedStyle(around).overflowX === 'visible') around = around.parentElement
    if (getComputedStyle(around).overflowX === 'visible') beyond.push(element.tagName + ': ' + element.textContent.trim().slice(0, 80))
  }
  return beyond.slice(0, 5)
})()`

/** What is there to be clicked and is smaller than a finger needs (WCAG 2.2, 2.5.8); links within text may be. */
export const TOO_SMALL = `[...document.querySelectorAll('button, input:not([type=hidden]), select, summary, nav.main a, .tabs a, .chips a, .pager a')]
  .filter((element) => element.checkVisibility() && element.closest('dialog, .unseen, .skip') === null)
  .flatMap((element) => {
    const { height, width } = element.getBoundingClientRect()
    return Math.min(height, width) < 23.9 ? [element.tagName + ' ' + Math.round(width) + '×' + Math.round(height) + ': ' + (element.textContent || element.name || '').trim().slice(0, 40)] : []
  })
  .slice(0, 5)`
