import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../support/free-port.ts'
import { ROOT } from './pages.ts'

/** The ports that pages name: of the sandbox, the admin interface, the receiver, and of nobody. */
const PORTS = ['8383', '8484', '8585', '8592']
const END = '::end::'

/** A shell in a folder in which `npx shipbell` works as in a clone. The ports of the pages are others there. */
export class PageShell implements Disposable {
  readonly #ports: ReadonlyMap<string, string>
  readonly #root: string
  readonly #bash: ChildProcess
  readonly #started: { readonly script: string; readonly file: string }[] = []
  #written = ''
  #changed = (): void => undefined

  private constructor(ports: ReadonlyMap<string, string>, variables: Readonly<Record<string, string>>) {
    this.#ports = ports
    this.#root = mkdtempSync(path.join(tmpdir(), 'shipbell-docs-'))
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(this.#root, 'node_modules'))
    mkdirSync(path.join(this.#root, 'bin'))
    this.#program('npm', 'exit 0')
    this.#program('node', `exec ${process.execPath} "$@"`)
    this.#program('npx', this.#npx())
    this.#bash = spawn('bash', [], {
      cwd: this.#root,
      env: { PATH: `${this.#root}/bin:${process.env.PATH}`, HOME: this.#root, NO_COLOR: '1', ...variables },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    })
    for (const stream of [this.#bash.stdout, this.#bash.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#written += text
        this.#changed()
      })
  }

  static async open(variables: Readonly<Record<string, string>>): Promise<PageShell> {
    const ports = await Promise.all(PORTS.map(async (port) => [port, String(await freePort())] as const))
    return new PageShell(new Map(ports), variables)
  }

  /** Runs commands to their end, and gives what they wrote. Folder and variables are those of the commands before. */
  async run(script: string): Promise<string> {
    this.#written = ''
    this.#bash.stdin?.write(`${this.#here(script)}\necho ${END}\n`)
    while (!this.#written.includes(END)) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve
      })
    }
    return this.#there(this.#written.replace(`${END}\n`, ''))
  }

  /** Starts commands that go on until the shell is disposed. */
  async start(script: string): Promise<void> {
    const file = path.join(this.#root, `started-${this.#started.length}`)
    this.#started.push({ script, file })
    await this.run(`{\n${script}\n} > ${file} 2>&1 &`)
  }

  /** What the last started commands with this word have written so far. */
  outputOf(word: string): string {
    const started = this.#started.findLast(({ script }) => script.includes(word))
    return started === undefined ? '' : this.#there(readFileSync(started.file, 'utf8'))
  }

  /** A file in the current folder. */
  async write(file: string, text: string): Promise<void> {
    const source = path.join(this.#root, 'written')
    writeFileSync(source, this.#here(text))
    await this.run(`cp ${source} ${file}`)
  }

  [Symbol.dispose](): void {
    if (this.#bash.pid !== undefined) process.kill(-this.#bash.pid, 'SIGKILL')
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 })
  }

  /** What starts on a port of its own without saying so is told the other one. */
  #npx(): string {
    const [sandbox = '', , receiver = ''] = [...this.#ports.values()]
    return [
      'shift',
      `case "$1" in sandbox) set -- "$@" --port ${sandbox} ;; listen) set -- "$@" --port ${receiver} ;; esac`,
      `npm_command=exec exec ${process.execPath} ${ROOT}src/bin.js "$@"`,
    ].join('\n')
  }

  #program(name: string, script: string): void {
    const file = path.join(this.#root, 'bin', name)
    writeFileSync(file, `#!/bin/bash\n${script}\n`)
    chmodSync(file, 0o755)
  }

  #here(text: string): string {
    return [...this.#ports].reduce((said, [page, own]) => said.replaceAll(page, own), text)
  }

  #there(text: string): string {
    return [...this.#ports].reduce((said, [page, own]) => said.replaceAll(own, page), text)
  }
}
