/** A path of this interface that a request named, safe to redirect to; `/` where it names anything else. */
export function ownPath(named: string | undefined): string {
  // Browsers read a backslash as a slash, and leave out tabs and line breaks.
  if (named === undefined || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(named)) return '/'
  const url = URL.parse(named, 'http://own.invalid')
  if (url === null || url.host !== 'own.invalid' || url.pathname.startsWith('//')) return '/'
  return url.pathname === '/login' ? '/' : `${url.pathname}${url.search}`
}
