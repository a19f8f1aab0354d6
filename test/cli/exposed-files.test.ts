import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkCommand } from '../../src/cli/check.ts'
import { initCommand } from '../../src/cli/init.ts'
import { scratchFolder, SECRET } from '../config/scratch.ts'
import { runCommand } from './run-command.ts'

function modeOf(file: string): string {
  return (statSync(file).mode & 0o777).toString(8)
}

async function warnings(files: Readonly<Record<string, string>>, modes: readonly [folder: number, file: number]) {
  const at = scratchFolder(files)
  for (const file of Object.keys(files)) chmodSync(path.join(at, file), modes[1])
  chmodSync(at, modes[0])
  const { exitCode, stdout } = await runCommand(checkCommand, [], { cwd: at })
  expect(exitCode).toBe(0)
  return stdout.split('\n').filter((line) => line.includes('everybody'))
}

describe.skipIf(process.platform === 'win32')('a configuration that everybody may read', () => {
  const LITERAL = `accounts:
  acme: { base_url: "https://p.example", api_key: pk_live_12345678, watch: { shipments: {} } }
subscriptions:
  erp: { url: "https://e.example", secret: ${SECRET}, events: ["*", account.*] }
`
  const DRAWN = LITERAL.replace('pk_live_12345678', '${KEY}').replace(SECRET, '${SIGNING}')

  it('and holds secrets is warned of', async () => {
    expect(await warnings({ 'shipbell.yaml': LITERAL }, [0o755, 0o644])).toEqual([
      'shipbell.yaml:1:1: warning: everybody on this machine may read `shipbell.yaml`, which holds secrets: chmod 600 shipbell.yaml',
    ])
    const drawn = { 'shipbell.yaml': DRAWN, '.env': `KEY=pk_live_12345678\nSIGNING=${SECRET}\n` }
    expect(await warnings(drawn, [0o755, 0o644])).toEqual([expect.stringContaining('may read `.env`')])
  })

  it('is warned of with a command that can be pasted where `check` was called', async () => {
    const at = scratchFolder()
    const file = path.join(at, 'the configs', 'my file.yaml')
    mkdirSync(path.dirname(file))
    writeFileSync(file, LITERAL)
    for (const each of [at, path.dirname(file)]) chmodSync(each, 0o755)
    chmodSync(file, 0o644)
    const { stdout } = await runCommand(checkCommand, ['-c', 'the configs/my file.yaml'], { cwd: at })
    const command = /chmod 600 .*/.exec(stdout)?.[0] ?? ''
    execFileSync('sh', ['-c', command], { cwd: at })
    expect(modeOf(file)).toBe('600')
  })

  it('is not, where it holds none or only its group or nobody gets at it', async () => {
    expect(await warnings({ 'shipbell.yaml': LITERAL }, [0o755, 0o640])).toEqual([])
    expect(await warnings({ 'shipbell.yaml': LITERAL }, [0o700, 0o644])).toEqual([])
    const plain = DRAWN.replace('${KEY}', 'k').replace('${SIGNING}', '${file:key}')
    expect(await warnings({ 'shipbell.yaml': plain, key: SECRET }, [0o755, 0o644])).toEqual([])
  })

  it('is not what `init` begins', async () => {
    const cwd = scratchFolder({})
    await runCommand(initCommand, [], { cwd })
    expect(modeOf(path.join(cwd, '.env.example'))).toBe('600')
  })
})
