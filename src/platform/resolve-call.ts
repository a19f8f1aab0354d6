import { ENDPOINTS, type Endpoint, type Method } from './endpoints.ts'

/** A call as it goes over the wire. */
export interface ResolvedCall {
  readonly method: Method
  /** With its query; what no request line can carry is percent-encoded. */
  readonly path: string
}

/**
 * The endpoint's call that a method (in any case) and a path (with or without `/v1`, with or without a query) mean; null
 * where the interface has no such endpoint.
 */
export function resolveCall(method: string, path: string): ResolvedCall | null {
  const [, address = '', query = ''] = /^([^?]*)(.*)$/s.exec(path.replaceAll('#', '%23')) ?? []
  const rooted = address.startsWith('/') ? address : `/${address}`
  const segments = (rooted.startsWith('/v1/') ? rooted : `/v1${rooted}`).split('/')
  const endpoint = ENDPOINTS.find((each) => each.method === method.toUpperCase() && fits(each, segments))
  return endpoint === undefined ? null : { method: endpoint.method, path: encodeUnsendable(segments.join('/') + query) }
}

function fits(endpoint: Endpoint, segments: readonly string[]): boolean {
  const expected = endpoint.path.split('/')
  return (
    expected.length === segments.length &&
    expected.every((name, index) => (name === ':id' ? isId(segments[index] ?? '') : name === segments[index]))
  )
}

/** Dot segments, encoded or not, are folded away on the route and would end at another path. */
function isId(segment: string): boolean {
  return segment !== '' && !/^(?:\.|%2e){1,2}$/i.test(segment)
}

function encodeUnsendable(path: string): string {
  return path.toWellFormed().replaceAll(/[^\u0021-\u007e]+/g, (text) => encodeURIComponent(text))
}
