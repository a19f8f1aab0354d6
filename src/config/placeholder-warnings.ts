import { entriesOf, type ConfigNode, type ScalarNode } from './config-node.ts'
import { problemAt, type Problem } from './problem.ts'

/** Keys whose value somebody else hands out or makes. */
const HANDED_OUT = new Set(['api_key', 'token', 'viewer_token', 'signing_secret'])
const ADDRESSES = new Set(['url', 'base_url'])

/** What stands in examples until somebody puts the real value there. */
const PLACEHOLDERS: readonly RegExp[] = [
  /^(?:<.*>|\{.*\}|\[.*\]|%.*%)$/,
  /^(?:x+|\*+|\.+|…+|_+|-+)$/i,
  /^(?:x{2,}[-_])+x{2,}$/i,
  /^(?:your|my|the|insert|enter|put|paste|replace|add|some)[\W_]*(?:.*[\W_])?(?:api)?(?:key|token|secret|password|value|here|me|this|it)$/i,
  /^(?:change|replace|fill|edit|fix)[\W_]*(?:me|this|it|in)(?:[\W_].*)?$/i,
  /^(?:api|access|auth|bearer|platform|secret)[\W_]*(?:key|token|secret)$/i,
  /^(?:todo|tbd|fixme|placeholder|dummy|example|secret|password|undefined|null|none|foo|bar|foobar)$/i,
  /placeholder|example[\W_]?(?:key|token)|(?:key|token)[\W_]?(?:goes[\W_]?)?here/i,
  // The name of a variable that lost its `${…}`.
  /^\$?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET)$/,
]

/** Values that nobody has replaced yet: everything would be refused. What a value is stays unsaid, as it may be one after all. */
export function placeholderWarnings(root: ConfigNode): readonly Problem[] {
  const seen = new Set<ConfigNode>()
  return scalarsOf(root, '', seen).flatMap(({ key, node }) => {
    const { value } = node
    if (typeof value !== 'string') return []
    const isTold = ADDRESSES.has(key) ? partsOf(value).some(isPlaceholder) : HANDED_OUT.has(key) && isPlaceholder(value)
    const message = `\`${key}\` looks like a placeholder: put the real value there`
    return isTold ? [problemAt(node.at, message, 'warning')] : []
  })
}

function isPlaceholder(value: string): boolean {
  return PLACEHOLDERS.some((pattern) => pattern.test(value.trim()))
}

/** The parts of an address that are somebody's own, where it may be shown that they are not. */
function partsOf(address: string): readonly string[] {
  const url = URL.parse(address)
  if (url === null) return []
  const parts = [url.username, url.password, ...url.pathname.split('/'), ...url.searchParams.values()]
  return parts.flatMap((part) => (part.length < 3 ? [] : [decoded(part)]))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

interface Keyed {
  readonly key: string
  readonly node: ScalarNode
}

/** A default stands once for many. */
function scalarsOf(node: ConfigNode, key: string, seen: Set<ConfigNode>): readonly Keyed[] {
  if (seen.has(node)) return []
  seen.add(node)
  if (node.kind === 'scalar') return [{ key, node }]
  return entriesOf(node).flatMap(([name, child]) => scalarsOf(child, name, seen))
}
