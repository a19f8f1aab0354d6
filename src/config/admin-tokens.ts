import { childOf, type ConfigNode } from './config-node.ts'
import type { Config } from './config.ts'
import { problemAt, type Problem } from './problem.ts'

const KEYS = ['token', 'viewer_token'] as const
/** A shorter one is guessed. */
const SHORTEST = 16

/** Tokens that are empty but by a default that says so: whoever wrote them means that there is one, and would have none. */
export function emptyTokens(root: ConfigNode): readonly Problem[] {
  return KEYS.flatMap((key) => {
    const node = childOf(childOf(root, 'http'), key)
    if (node?.kind !== 'scalar' || node.value !== '' || node.isDefault === true) return []
    return [problemAt(node.at, `\`${key}\` is empty: give it a value, or remove the line (\`\${VAR:-}\` may be empty)`)]
  })
}

export function shortTokens({ http }: Config, root: ConfigNode): readonly Problem[] {
  const tokens = { token: http?.token ?? null, viewer_token: http?.viewerToken ?? null }
  return KEYS.flatMap((key) => {
    const { [key]: token } = tokens
    const node = childOf(childOf(root, 'http'), key)
    if (token === null || token.length >= SHORTEST || node === undefined) return []
    const message = `\`${key}\` has fewer than ${SHORTEST} characters, and can be guessed: \`openssl rand -hex 24\` makes one`
    return [problemAt(node.at, message, 'warning')]
  })
}
