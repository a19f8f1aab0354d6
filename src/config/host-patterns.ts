/** Whether a text is a host as URLs have it, or `*.` and one. */
export function isLiteralHost(pattern: string): boolean {
  const host = pattern.startsWith('*.') ? pattern.slice(2) : pattern
  const url = URL.parse(`https://${host}/`)
  if (url === null || host === '') return false
  return url.host === url.hostname && hostOf(url) === plainHost(host.toLowerCase()) && /^[^/?#@*\s]+$/.test(host)
}

/** The host of a URL as patterns name it: without a dot at its end. */
export function hostOf({ hostname }: URL): string {
  return plainHost(hostname)
}

/** Whether one of the patterns names a host: as it is, or as one below the domain behind `*.`. */
export function namesHost(patterns: readonly string[], host: string): boolean {
  return patterns
    .map((pattern) => plainHost(pattern.toLowerCase()))
    .some((pattern) => (pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern))
}

function plainHost(host: string): string {
  return host.replace(/\.$/, '')
}
