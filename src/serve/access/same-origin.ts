/** Whether a browser says that a page of this very interface sends the request; programs say nothing of the kind. */
export function isSameOrigin({ headers }: Request): boolean {
  return headers.get('sec-fetch-site') === 'same-origin' || isHostsOwn(headers.get('origin'), headers.get('host'))
}

/** Whether a browser says that a request comes from elsewhere. */
export function isCrossOrigin(request: Request): boolean {
  const { headers } = request
  return (headers.has('sec-fetch-site') || headers.has('origin')) && !isSameOrigin(request)
}

/** By host and port: a proxy may have taken the scheme away. */
function isHostsOwn(origin: string | null, host: string | null): boolean {
  const from = URL.parse(origin ?? '')
  if (from === null || host === null || !/^https?:$/.test(from.protocol)) return false
  return URL.parse(`${from.protocol}//${host}/`)?.host === from.host
}
