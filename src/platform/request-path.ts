/** `/v1/shipments?skip=0&take=100` below the path prefix of `base_url`. */
export function listPath(list: string, page: { readonly skip: number; readonly take: number }): string {
  return `${list}?skip=${page.skip}&take=${page.take}`
}

/** `/v1/invoices/INV%202026%2F1`: identifiers hold spaces and slashes. */
export function itemPath(item: string, id: string): string {
  return `${item}/${encodeSegment(id)}`
}

function encodeSegment(id: string): string {
  // Dot segments would be normalised away on the route, and `encodeURIComponent` throws on a lone surrogate.
  return id === '.' || id === '..' ? id.replaceAll('.', '%2E') : encodeURIComponent(id.toWellFormed())
}
