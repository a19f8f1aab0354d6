import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { readPage, ROOT } from '../pages.ts'

/** A page of docs/how-to/receive/: one whole program and the lines that start it. */
export interface Guide {
  readonly language: Language
  readonly file: string
  readonly program: string
  /** Each line starts a process. */
  readonly commands: readonly string[]
  /** Runs once in the folder of the program before anything is started. */
  readonly prepare: string
  readonly environment: Readonly<Record<string, string>>
  /** The `node_modules` that it finds. */
  readonly modules: string
  /** What is not installed here; null: nothing. */
  readonly missing: string | null
}

export const LANGUAGES = ['node', 'python', 'php', 'go', 'java', 'ruby'] as const
export type Language = (typeof LANGUAGES)[number]

interface Installed {
  /** Succeeds where the language and the libraries of its page are installed, as by Debian. */
  readonly check: string
  readonly packages: string
  readonly prepare?: string
  readonly environment?: Readonly<Record<string, string>>
}

const JARS = ['sqlite-jdbc', 'jackson-databind', 'jackson-core', 'jackson-annotations'].map(
  (name) => `/usr/share/java/${name}.jar`,
)
/** Packages of Debian lie in a GOPATH. */
const DEBIAN_GO = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode' }

/** `.ci/run` installs the same. */
const INSTALLED: Readonly<Record<Language, Installed>> = {
  node: { check: 'true', packages: 'Node' },
  python: {
    check: `/usr/bin/python3 -c 'import sqlite3, cryptography'`,
    packages: 'python3 python3-cryptography',
  },
  php: {
    check: `php -r 'exit(extension_loaded("pdo_sqlite") && extension_loaded("sodium") ? 0 : 1);'`,
    packages: 'php-cli php-sqlite3',
  },
  go: {
    check: 'go version && go list -f "{{.Dir}}" github.com/mattn/go-sqlite3',
    packages: 'golang-go gcc libc6-dev golang-github-mattn-go-sqlite3-dev',
    environment: DEBIAN_GO,
  },
  java: {
    check: `java -version && ls ${JARS.join(' ')}`,
    packages: 'default-jdk-headless libjackson2-databind-java libxerial-sqlite-jdbc-java',
    prepare: `mkdir lib && ln -s ${JARS.join(' ')} lib/`,
    // What lives for seconds is not worth optimizing.
    environment: { JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' },
  },
  ruby: { check: `ruby -rsqlite3 -rwebrick -e ''`, packages: 'ruby ruby-sqlite3 ruby-webrick' },
}

/** What the ids of shipments begin with that a program fails to handle. */
export const FAILS = 'SHP-FAILS'

/** The line behind which a program is told to fail, and what tells it so. */
const FAILURES: Readonly<Record<Language, readonly [line: string, failure: string]>> = {
  node: [
    'async function handle({ type, subject }) {',
    `if (subject.id.startsWith('${FAILS}')) throw new Error('as told')`,
  ],
  python: [
    '    """What your program does with an event. If it raises, it gets the event again."""',
    `    if event["subject"]["id"].startswith("${FAILS}"): raise ValueError("as told")`,
  ],
  php: [
    'function handle(stdClass $event): void\n{',
    `if (str_starts_with($event->subject->id, '${FAILS}')) throw new Exception('as told');`,
  ],
  go: [
    'func handle(e event) error {',
    `if strings.HasPrefix(e.Subject.ID, "${FAILS}") { return fmt.Errorf("as told") }`,
  ],
  java: [
    'static void handle(JsonNode event) {',
    `if (event.at("/subject/id").asText().startsWith("${FAILS}")) throw new IllegalStateException("as told");`,
  ],
  ruby: ['def handle(event)', `raise "as told" if event["subject"]["id"].start_with?("${FAILS}")`],
}

/** The program of a page, whose `handle` fails with what belongs to shipments of `FAILS`. */
export function failing(guide: Guide): Guide {
  const [line, failure] = FAILURES[guide.language]
  return { ...guide, program: guide.program.replace(line, () => `${line}\n${failure}`) }
}

export function guideOf(language: Language): Guide {
  const { blocks } = readPage(`docs/how-to/receive/${language}.md`)
  const program = blocks.find(({ role }) => role === 'receiver')
  const serves = blocks.find(({ role }) => role === 'serves')
  const { check, environment = {}, packages, prepare = '' } = INSTALLED[language]
  const env = { ...process.env, ...environment }
  const isThere = spawnSync('bash', ['-c', check], { env, stdio: 'ignore' }).status === 0
  return {
    language,
    file: program?.options['file'] ?? '',
    program: program?.text ?? '',
    commands: serves?.text.trim().split('\n') ?? [],
    prepare,
    environment,
    modules: path.join(ROOT, 'node_modules'),
    missing: isThere ? null : packages,
  }
}
