import type { ASTNode } from '@marcbachmann/cel-js'

/** Each macro that walks through a list or a map: one inside the other multiplies. */
export const LOOPS: ReadonlySet<unknown> = new Set(['all', 'exists', 'exists_one', 'filter', 'map'])

export function isLoop(node: ASTNode): node is Extract<ASTNode, { readonly op: 'rcall' }> {
  return node.op === 'rcall' && LOOPS.has(node.args[0])
}

/** `['a', 'b']` for `a.b` and `a["b"]`; null: it is another expression. */
export function pathOf(node: ASTNode): readonly string[] | null {
  if (node.op === 'id') return [node.args]
  if (node.op !== '.' && node.op !== '[]') return null
  const [of, name] = node.args
  const path = pathOf(of)
  if (path === null) return null
  if (typeof name === 'string') return [...path, name]
  return name.op === 'value' && typeof name.args === 'string' ? [...path, name.args] : null
}

export function childrenOf(node: ASTNode): readonly ASTNode[] {
  return nodesIn(node.args)
}

function nodesIn(value: unknown): readonly ASTNode[] {
  if (Array.isArray(value)) return value.flatMap(nodesIn)
  return isNode(value) ? [value] : []
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value && 'range' in value
}
