import { z } from 'zod'
import { childOf, holdsBroken, isLiteral, nodeAt, plainValue, type ConfigNode, type Path } from './config-node.ts'
import { nearestName } from './nearest-name.ts'
import { problemAt, quoted, type Position, type Problem } from './problem.ts'
import type { Detail } from './schema-detail.ts'
import { entryOf, isEntries, keysOf, sectionOf } from './schema-tree.ts'

type Issue = z.core.$ZodIssue

export interface Judged<T> {
  /** undefined where something is wrong. */
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
  const top: Spot = { schema, name: '', node: root }
  return { data: undefined, problems: judged.flatMap((issue) => problemsOf(issue, spotAt(top, issue.path))) }
}

/** Unknown keys are told before what is missing; rules between keys are judged last. */
function rankOf(issue: Issue): number {
  if (issue.code === 'unrecognized_keys') return 0
  return isRule(issue) ? 2 : 1
}

/** Of a union, the issues of the alternative that was meant: the one whose outer type fits, else the first. */
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
  /** undefined: nothing; it is missing, or a default. */
  readonly node: ConfigNode | undefined
  readonly holder?: Spot
  /** The steps of the path inside the value. */
  readonly rest?: Path
}

function spotAt(spot: Spot, path: Path): Spot {
  const [step, ...rest] = path
  const schema = step === undefined ? undefined : entryOf(spot.schema, String(step))
  if (step === undefined || schema === undefined) return { ...spot, rest: path }
  return spotAt({ schema, name: String(step), node: childOf(spot.node, step), holder: spot }, rest)
}

function problemsOf(issue: Issue, spot: Spot): readonly Problem[] {
  const { schema, name, node, holder, rest = [] } = spot
  const section = sectionOf(schema)
  if (node === undefined) return [problemAt(nearestKey(spot), absent(issue, name, holder?.name ?? ''))]
  if (issue.code === 'unrecognized_keys' && section !== undefined)
    return issue.keys.map((key) => problemAt(childOf(node, key)?.keyAt ?? node.at, unknownKey(key, section)))
  const place = nodeAt(node, rest)
  const message = worded(issue, name, place)
  if (detailOf(issue).at === 'key' || schema instanceof z.ZodNever) return [problemAt(place.keyAt, message)]
  const isSection = (section !== undefined || isEntries(schema)) && rest.length === 0
  if (isSection ? node.kind === 'broken' : holdsBroken(node)) return []
  const isNull = node.kind === 'scalar' && node.value === null
  if (isSection && section !== undefined)
    return [problemAt(isNull ? node.keyAt : node.at, notAMapping(name, section, isNull))]
  if (isNull && !isSection) return [problemAt(node.keyAt, `\`${name}\` has no value: give it one, or remove the line`)]
  return [problemAt(placeOf(place, detailOf(issue)), message)]
}

function nearestKey({ node, holder }: Spot): Position {
  if (node !== undefined || holder === undefined) return node?.keyAt ?? { line: 1, column: 1 }
  return nearestKey(holder)
}

/** Of a key that is not in the file: it is missing, or its default is wrong. */
function absent(issue: Issue, name: string, holder: string): string {
  if (issue.input === undefined) return `\`${name}\` is missing${holder === '' ? '' : ` in \`${holder}\``}`
  return `\`${name}\` ${issue.message}`
}

function worded(issue: Issue, name: string, place: ConfigNode): string {
  const { hidden, rule, at } = detailOf(issue)
  if (rule === true || at === 'key') return issue.message
  return `\`${name}\` ${hidden === undefined || isLiteral(place) ? issue.message : hidden}`
}

function placeOf(node: ConfigNode, { offset }: Detail): Position {
  if (offset === undefined || node.kind !== 'scalar' || node.textAt === undefined) return node.at
  return { line: node.textAt.line, column: node.textAt.column + offset }
}

function unknownKey(key: string, section: z.ZodObject): string {
  const nearest = nearestName(key, Object.keys(section.shape))
  const hint =
    nearest === undefined ? `the keys here are ${keysOf(section).join(', ')}` : `did you mean \`${nearest}\`?`
  return `unknown key ${quoted(key)}: ${hint}`
}

function notAMapping(name: string, section: z.ZodObject, isNull: boolean): string {
  const takesNothing = section.safeParse({}).success
  if (isNull && takesNothing)
    return `\`${name}\` has no value: write \`${name}: {}\` for the defaults, or remove the line`
  const what = name === '' ? 'the file' : `\`${name}\``
  return `${what} must be a mapping with keys such as ${keysOf(section).slice(0, 3).join(', ')}`
}
