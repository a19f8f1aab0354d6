import { z } from 'zod'
import {
  childOf,
  holdsBroken,
  isLiteral,
  isNull,
  nodeAt,
  placeWithin,
  plainValue,
  type ConfigNode,
  type Path,
} from './config-node.ts'
import { isDefault } from './key-defaults.ts'
import { nearestName } from './nearest-name.ts'
import { problemAt, quoted, type Position, type Problem } from './problem.ts'
import { entryOf, isEntries, keysOf, sectionOf, type Detail } from './schema-parts.ts'

type Issue = z.core.$ZodIssue

export interface Judged<T> {
  /** The values that were read; undefined where something is wrong. */
  readonly data: T | undefined
  readonly problems: readonly Problem[]
}

/**
 * What a schema says of the file, each problem at its place. A message goes on where the key's name ends (`must be …`); that
 * of a rule or of a key is a whole sentence. `elsewhere`: where others report something wrong.
 */
export function judge<S extends z.ZodType>(
  schema: S,
  root: ConfigNode,
  elsewhere: readonly Path[] = [],
): Judged<z.output<S>> {
  // A file is judged once: what zod would compile for speed is not worth its memory.
  const result = schema.safeParse(plainValue(root), { reportInput: true, jitless: true })
  if (result.success) return { data: result.data, problems: [] }
  const wrong = [...elsewhere]
  const issues = result.error.issues.flatMap(decisive).toSorted((left, right) => rankOf(left) - rankOf(right))
  const judged = issues.filter((issue) => {
    const mapping = issue.path.slice(0, -1)
    if (isRule(issue) && wrong.some((path) => mapping.every((step, index) => path[index] === step))) return false
    wrong.push(issue.path)
    return true
  })
  return {
    data: undefined,
    problems: judged.flatMap((issue) =>
      problemsOf(issue, spotOf({ schema, name: '', node: root, rest: issue.path, keyAt: root.keyAt }), root),
    ),
  }
}

/** Unknown keys are reported before what is missing; rules between keys are judged last. */
function rankOf(issue: Issue): number {
  if (issue.code === 'unrecognized_keys') return 0
  return isRule(issue) ? 2 : 1
}

/** The issues that decide: of a union, those of the alternative that was meant, whose outer type fits, else the first. */
function decisive(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const meant = issue.errors.find((issues) =>
    issues.every(({ code, path }) => path.length > 0 || code !== 'invalid_type'),
  )
  const [first = []] = issue.errors
  return (meant ?? first).flatMap((inner) => decisive({ ...inner, path: [...issue.path, ...inner.path] }))
}

function detailOf(issue: Issue): Detail {
  return issue.code === 'custom' ? (issue.params ?? {}) : {}
}

function isRule(issue: Issue): boolean {
  return detailOf(issue).rule === true
}

/** The last key of a path that the schema knows by name, and what stands there. */
interface Spot {
  readonly schema: z.core.$ZodType
  readonly name: string
  /** The node at the place; undefined: it is missing, or a default. */
  readonly node: ConfigNode | undefined
  /** The steps of the path below it. */
  readonly rest: Path
  /** The nearest key that is in the file. */
  readonly keyAt: Position
  readonly holder?: Spot
}

function spotOf(spot: Spot): Spot {
  const [step, ...rest] = spot.rest
  const schema = step === undefined ? undefined : entryOf(spot.schema, String(step))
  if (step === undefined || schema === undefined) return spot
  const node = childOf(spot.node, step)
  return spotOf({ schema, name: String(step), node, rest, keyAt: node?.keyAt ?? spot.keyAt, holder: spot })
}

function problemsOf(issue: Issue, spot: Spot, root: ConfigNode): readonly Problem[] {
  const { schema, name, node, rest } = spot
  if (node === undefined) return [absent(issue, spot)]
  const place = nodeAt(node, rest)
  const message = worded(issue, name, place)
  if (isRule(issue) && spot.holder?.node !== undefined && isDefault(root, node))
    return [
      problemAt(spot.holder.node.keyAt, `${message} (\`${name}\` is from \`defaults\`; \`${name}: null\` takes none)`),
    ]
  if (detailOf(issue).at === 'key' || schema instanceof z.ZodNever) return [problemAt(place.keyAt, message)]
  const section = sectionOf(schema)
  // What a value is refused for says more than that it is no mapping.
  const isRefusedValue = issue.code === 'custom' && node.kind === 'scalar' && !isNull(node)
  if (section !== undefined && rest.length === 0 && !isRefusedValue)
    return sectionProblems(issue, section, { name, node })
  if (isEntries(schema) && rest.length === 0) return node.kind === 'broken' ? [] : [problemAt(node.at, message)]
  if (holdsBroken(node)) return []
  if (isNull(node)) return [problemAt(node.keyAt, `\`${name}\` has no value: give it one, or remove the line`)]
  return [problemAt(placeWithin(place, detailOf(issue).offset), message)]
}

/** The problem of a key that is not in the file: it is missing, or its default is wrong. */
function absent(issue: Issue, { name, keyAt, holder }: Spot): Problem {
  const where = holder === undefined || holder.name === '' ? '' : ` in \`${holder.name}\``
  return problemAt(keyAt, issue.input === undefined ? `\`${name}\` is missing${where}` : `\`${name}\` ${issue.message}`)
}

function sectionProblems(
  issue: Issue,
  section: z.ZodObject,
  { name, node }: { readonly name: string; readonly node: ConfigNode },
): readonly Problem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => problemAt(childOf(node, key)?.keyAt ?? node.at, unknownKey(key, section)))
  if (node.kind === 'broken') return []
  if (isNull(node) && section.safeParse({}).success) {
    const message = `\`${name}\` has no value: write \`${name}: {}\` for the defaults, or remove the line`
    return [problemAt(node.keyAt, message)]
  }
  const what = name === '' ? 'the file' : `\`${name}\``
  const message = `${what} must be a mapping with keys such as ${keysOf(section).slice(0, 3).join(', ')}`
  return [problemAt(isNull(node) ? node.keyAt : node.at, message)]
}

function unknownKey(key: string, section: z.ZodObject): string {
  const nearest = nearestName(key, Object.keys(section.shape))
  const hint =
    nearest === undefined ? `the keys here are ${keysOf(section).join(', ')}` : `did you mean \`${nearest}\`?`
  return `unknown key ${quoted(key)}: ${hint}`
}

function worded(issue: Issue, name: string, place: ConfigNode): string {
  const { hidden, rule, at } = detailOf(issue)
  if (rule === true || at === 'key') return issue.message
  return `\`${name}\` ${hidden === undefined || isLiteral(place) ? issue.message : hidden}`
}
