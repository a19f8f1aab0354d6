import path from 'node:path'
import { ShipbellError } from '../errors.ts'
import { isMissing, readNamedText, troubleWords, type FileTrouble } from '../named-file.ts'
import { ConfigFile } from './config-file.ts'
import type { ConfigNode } from './config-node.ts'
import { ProblemList, type Problem } from './problem.ts'
import type { Sources } from './source-files.ts'
import { variablesBeside, type Variables } from './variables.ts'

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute; a relative file starts there. */
  readonly cwd: string
  /** Whether what a file says is asked without its secrets: variables without a value are no errors then. */
  readonly withoutSecrets?: boolean
}

type FileSource = Pick<ConstructorParameters<typeof ConfigFile>[0], 'absolute' | 'shown' | 'text'>

/** One reading of a configuration: its files, and the problems found so far. */
export class Reading {
  /** Absolute: what was read, and what would be if it existed. */
  readonly files: Set<string>
  /** Absolute patterns of the files that are included. */
  readonly patterns = new Set<string>()
  /** The folder of the main file. */
  readonly folder: string
  readonly main: ConfigFile
  /** The included files that could be read, in their order. */
  readonly included: ConfigFile[] = []
  /** Whether an included file is missing from it, for a problem that is reported. */
  isPartial = false
  readonly list = new ProblemList()
  readonly #env: Surroundings['env']
  readonly #withoutSecrets: boolean
  readonly #variables = new Map<string, Variables>()

  /** Throws `config_invalid` where the file cannot be read. */
  constructor(file: string, { env, cwd, withoutSecrets = false }: Surroundings) {
    const absolute = path.resolve(cwd, file)
    this.#env = env
    this.#withoutSecrets = withoutSecrets
    this.files = new Set([absolute])
    this.folder = path.dirname(absolute)
    const source = readNamedText(absolute)
    if ('trouble' in source) throw new ShipbellError('config_invalid', whyUnreadable(source.trouble, file))
    this.main = this.#open({ absolute, shown: file, text: source.text })
  }

  include(source: FileSource): ConfigFile {
    const file = this.#open(source)
    this.included.push(file)
    return file
  }

  #open(source: FileSource): ConfigFile {
    this.list.addFile(source.shown)
    const variables = this.#variablesIn(path.dirname(source.absolute))
    return new ConfigFile({ ...source, variables, problems: this.list, despiteUnset: this.#withoutSecrets })
  }

  /** The main file, or only these of its top-level keys; null where its syntax is wrong or it is empty. */
  mainTree(only?: readonly string[]): ConfigNode | null {
    return this.main.tree('`shipbell init` writes one to start from', only)
  }

  get sources(): Sources {
    return { files: [...this.files], patterns: [...this.patterns] }
  }

  /** Every problem, in the order of the files. */
  get problems(): readonly Problem[] {
    return this.list.inOrder
  }

  get failed(): boolean {
    return this.list.failed
  }

  report(...problems: readonly Problem[]): void {
    this.list.report(...problems)
  }

  /** What `.env` beside the main file says holds for included files too, where one beside them does not say otherwise. */
  #variablesIn(folder: string): Variables {
    const known = this.#variables.get(folder)
    if (known !== undefined) return known
    const outer = this.#variables.get(this.folder)
    const variables = variablesBeside(folder, {
      env: this.#env,
      note: (file) => this.files.add(file),
      ...(outer === undefined ? {} : { outer }),
    })
    this.#variables.set(folder, variables)
    return variables
  }
}

function whyUnreadable(trouble: FileTrouble, shown: string): string {
  if (isMissing(trouble))
    return `There is no configuration ${shown}: write one with \`shipbell init\`, or name another with -c FILE.`
  return `${shown} ${troubleWords(trouble)}: ${REMEDIES[trouble.kind]}.`
}

const REMEDIES: Readonly<Record<FileTrouble['kind'], string>> = {
  folder: 'name the configuration file in it with -c FILE',
  special: 'write the configuration to a file, and name that with -c FILE',
  large: 'share it out over files that `include` names, or name another with -c FILE',
  not_text: 'save it as UTF-8',
  failed: 'make it readable, or name another with -c FILE',
}
