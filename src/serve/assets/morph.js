/**
 * Makes the children of a node those of another one, changing only what differs: what stays keeps its focus, its selection, its
 * scroll and whether it is open. Elements are the same by `id` or `data-key`, others by their place.
 *
 * @param {Node} now
 * @param {Node} next
 */
export function morphChildren(now, next) {
  const known = keyed(now)
  const wanted = keyed(next)
  let place = now.firstChild
  for (const child of Array.from(next.childNodes)) {
    // What is gone goes first: what stays is not moved, for that would take its focus.
    for (let key = keyOf(place); place !== null && key !== null && !wanted.has(key); key = keyOf(place)) {
      const gone = place
      place = place.nextSibling
      gone.remove()
    }
    const key = keyOf(child)
    const match = key === null ? alike(place, child) : (known.get(key) ?? null)
    if (match === null) {
      now.insertBefore(document.importNode(child, true), place)
      continue
    }
    if (match === place) place = place.nextSibling
    else now.insertBefore(match, place)
    morph(match, child)
  }
  while (place !== null) {
    const gone = place
    place = place.nextSibling
    gone.remove()
  }
}

/**
 * Makes a node another one, as `morphChildren` does; elements of another name take its place.
 *
 * @param {ChildNode} now
 * @param {Node} next
 */
export function morph(now, next) {
  if (now.nodeName !== next.nodeName) {
    now.replaceWith(document.importNode(next, true))
    return
  }
  if (now.isEqualNode(next)) return
  if (now instanceof Element && next instanceof Element) {
    copyAttributes(now, next)
    morphChildren(now, next)
  } else if (now.nodeValue !== next.nodeValue) now.nodeValue = next.nodeValue
}

/** What the person has opened, stays open, and what a link marked, marked. */
const OWN = new Set(['open', 'data-told'])

/**
 * @param {Element} now
 * @param {Element} next
 */
function copyAttributes(now, next) {
  for (const { name } of Array.from(now.attributes))
    if (!OWN.has(name) && !next.hasAttribute(name)) now.removeAttribute(name)
  for (const { name, value } of next.attributes) {
    if (!OWN.has(name) && now.getAttribute(name) !== value) now.setAttribute(name, value)
  }
}

/**
 * @param {ChildNode | null} place
 * @param {Node} child
 * @returns {ChildNode | null}
 */
function alike(place, child) {
  return place !== null && place.nodeName === child.nodeName && keyOf(place) === null ? place : null
}

/**
 * @param {Node} parent
 * @returns {Map<string, ChildNode>}
 */
function keyed(parent) {
  const nodes = new Map()
  for (const child of parent.childNodes) {
    const key = keyOf(child)
    if (key !== null) nodes.set(key, child)
  }
  return nodes
}

/**
 * @param {Node | null} node
 * @returns {string | null}
 */
function keyOf(node) {
  if (!(node instanceof Element)) return null
  const key = node.getAttribute('data-key') ?? node.getAttribute('id')
  return key === null ? null : `${node.nodeName} ${key}`
}
