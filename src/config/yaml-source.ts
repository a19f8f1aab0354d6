import { isAlias, isNode, LineCounter, parseDocument, visit, type Document, type Node, type YAMLError } from 'yaml'
import { problemAt, type Position, type Problem } from './problem.ts'

/** A parsed file: YAML 1.2, core schema with merge keys. */
export interface YamlSource {
  readonly document: Document
  readonly root: Node | null
  /** Errors of the syntax, duplicate keys and unknown tags and aliases included. */
  readonly problems: readonly Problem[]
  positionOf(node: unknown): Position
}

/** `file`: the name under which it is shown. */
export function parseYaml(text: string, file: string): YamlSource {
  const lines = new LineCounter()
  const document = parseDocument(shieldVariables(text), {
    merge: true,
    stringKeys: true,
    prettyErrors: false,
    resolveKnownTags: false,
    lineCounter: lines,
  })
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const positionOf = (node: unknown): Position => positionAt(isNode(node) ? (node.range?.[0] ?? 0) : 0)
  const problems = [...worthSaying(document.errors), ...document.warnings].map((error) =>
    problemAt(positionAt(error.pos[0]), SENTENCES[error.code]),
  )
  return {
    document,
    root: document.contents,
    problems: [...problems, ...aliasProblems(document, positionOf)],
    positionOf,
  }
}

/** After the first error of syntax the parser reads on in the dark: what it says then misleads. */
function worthSaying(errors: readonly YAMLError[]): readonly YAMLError[] {
  const first = errors.findIndex(({ code }) => code !== 'DUPLICATE_KEY')
  return first === -1 ? errors : errors.slice(0, first + 1)
}

/** Characters that mean something to YAML, and stand-ins of the same length from the private use area. */
const MEANINGFUL = '{}[],#'
const FIRST_STAND_IN = 0xe000

/** Hides the inside of `${…}` from YAML, so that it needs no quotes between brackets: `{ url: ${ERP_URL} }`. */
function shieldVariables(text: string): string {
  return text.replaceAll(/\$\{[^}\n]*\}/g, ([dollar = '', ...rest]) =>
    [dollar, ...rest.map((character) => standInOf(MEANINGFUL.indexOf(character)) ?? character)].join(''),
  )
}

function standInOf(index: number): string | undefined {
  return index === -1 ? undefined : String.fromCodePoint(FIRST_STAND_IN + index)
}

/** The text as it stands in the file. */
export function unshieldVariables(text: string): string {
  return text.replaceAll(/[\uE000-\uE005]/g, (standIn) => MEANINGFUL.charAt(standIn.charCodeAt(0) - FIRST_STAND_IN))
}

function aliasProblems(document: Document, positionOf: (node: unknown) => Position): readonly Problem[] {
  const anchors = new Set<string>()
  const problems: Problem[] = []
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        if (!anchors.has(node.source))
          problems.push(problemAt(positionOf(node), `no anchor &${node.source} stands before *${node.source}`))
      } else if (node.anchor !== undefined) anchors.add(node.anchor)
    },
  })
  return problems
}

/** Own words for every code: the parser's own may quote what stands in the file. */
const SENTENCES: Readonly<Record<YAMLError['code'], string>> = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag',
  BAD_ALIAS: 'this alias or anchor has no valid name',
  BAD_COLLECTION_TYPE: 'a tag does not fit this value: remove the tag',
  BAD_DIRECTIVE: 'a line that starts with % is a YAML directive: remove it',
  BAD_DQ_ESCAPE: 'this escape is not valid in double quotes: write \\\\ for a backslash, or use single quotes',
  BAD_INDENT: 'the indentation is wrong here, or a bracket before it is not closed',
  BAD_PROP_ORDER: 'an anchor or a tag stands before the value, behind the colon',
  BAD_SCALAR_START: 'a plain value cannot start with this character: put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second `key:` on one line: put it on a line of its own, or the value in quotes',
  BLOCK_IN_FLOW: 'block style cannot stand between brackets',
  DUPLICATE_KEY: 'this key stands here twice: keep one',
  IMPOSSIBLE: 'not valid YAML',
  KEY_OVER_1024_CHARS: 'a key of more than 1024 characters',
  MISSING_CHAR: 'something is missing before this place: a closing quote or bracket, a comma, a colon or a space',
  MULTILINE_IMPLICIT_KEY: 'a key is over after one line: is a colon missing?',
  MULTIPLE_ANCHORS: 'a value has one anchor at most',
  MULTIPLE_DOCS: 'a configuration is one YAML document: remove the `---` and what follows it',
  MULTIPLE_TAGS: 'a value has one tag at most',
  NON_STRING_KEY: 'a key is plain text',
  RESOURCE_EXHAUSTION: 'nested too deep',
  TAB_AS_INDENT: 'a tab cannot indent: use spaces',
  TAG_RESOLVE_FAILED: 'tags (`!…`) are not supported: write the plain value',
  UNEXPECTED_TOKEN: 'not expected here: look at the indentation, quotes and brackets before it',
}
