import { describe, expect, it } from 'vitest'
import { checkCommand } from '../../src/cli/check.ts'
import { scratchFolder, SECRET } from '../config/scratch.ts'
import { runCommand } from './run-command.ts'

const VALID = `accounts:
  acme: { base_url: "https://p.example", api_key: k, watch: { shipments: {} } }
subscriptions:
  erp: { url: "https://e.example", secret: ${SECRET}, events: ["*", account.*] }
`

async function check(yaml: string, args: readonly string[] = []) {
  return await runCommand(checkCommand, args, { cwd: scratchFolder({ 'shipbell.yaml': yaml, 'other.yaml': yaml }) })
}

describe('shipbell check', () => {
  it('says that a configuration is valid', async () => {
    expect(await check(VALID)).toEqual({
      exitCode: 0,
      stdout: 'shipbell.yaml is valid: 1 account, 1 subscription.\n',
      stderr: '',
    })
  })

  it('prints every problem as FILE:LINE:COL: message, FILE as given, and exits 2', async () => {
    const { exitCode, stdout } = await check(`${VALID}storag: {}\nstorage: { pool: x }\n`, ['-c', './other.yaml'])
    expect(exitCode).toBe(2)
    expect(stdout.split('\n')).toEqual([
      './other.yaml:5:1: unknown key `storag`: did you mean `storage`?',
      './other.yaml:6:18: `pool` must be a whole number from 4',
      '',
    ])
  })

  it('prints warnings, says that the file is valid, and exits 0', async () => {
    const { exitCode, stdout, stderr } = await check(VALID.replace(', account.*', ''))
    expect(exitCode).toBe(0)
    expect(stderr).toBe('shipbell.yaml is valid: 1 account, 1 subscription, 1 warning.\n')
    expect(stdout).toMatch(/^shipbell\.yaml:3:1: warning: nothing hears `account\.\*`[^\n]*\n$/)
  })

  it('prints one JSON document with --json', async () => {
    expect(JSON.parse((await check(VALID, ['--json'])).stdout)).toEqual([])
    const { exitCode, stdout } = await check(`${VALID}storage: { pool: x }\n`, ['--json'])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stdout)).toEqual([
      {
        file: 'shipbell.yaml',
        line: 5,
        column: 18,
        severity: 'error',
        message: '`pool` must be a whole number from 4',
      },
    ])
  })

  it('says what to do without a file, and exits 2', async () => {
    expect(await check(VALID, ['-c', 'none.yaml'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'There is no configuration none.yaml: write one with `shipbell init`, or name another with -c FILE.',
    })
  })
})
