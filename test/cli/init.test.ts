import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { checkCommand } from '../../src/cli/check.ts'
import { initCommand } from '../../src/cli/init.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { scratchFolder } from '../config/scratch.ts'
import { runCommand } from './run-command.ts'

describe('shipbell init', () => {
  it('writes a configuration that passes check once .env.example is filled in', async () => {
    const cwd = scratchFolder()
    expect(await runCommand(initCommand, [], { cwd })).toMatchObject({ exitCode: 0, stderr: '' })
    expect(readdirSync(cwd).sort()).toEqual(['.env.example', 'shipbell.schema.json', 'shipbell.yaml'])

    const before = await runCommand(checkCommand, [], { cwd })
    expect(before.exitCode).toBe(2)
    expect(before.stdout).toContain('the variable ACME_API_KEY is not set')

    copyFileSync(path.join(cwd, '.env.example'), path.join(cwd, '.env'))
    expect(await runCommand(checkCommand, [], { cwd })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^shipbell.yaml:\d+:\d+: warning: `api_key` looks like a placeholder.*\n$/),
    })
    expect(await runCommand(checkCommand, [], { cwd, env: { ACME_API_KEY: 'pk_83jd' } })).toEqual({
      exitCode: 0,
      stdout: 'shipbell.yaml is valid: 1 account, 1 subscription.\n',
      stderr: '',
    })
  })

  it('puts the schema beside it, named in its first line for editors', { tags: 'long' }, async () => {
    const cwd = scratchFolder()
    await runCommand(initCommand, [], { cwd })
    const text = readFileSync(path.join(cwd, 'shipbell.yaml'), 'utf8')
    const [, name = ''] = /^# yaml-language-server: \$schema=\.\/(.+)\n/.exec(text) ?? []
    const schema: JsonObject = JSON.parse(readFileSync(path.join(cwd, name), 'utf8'))
    expect(schema['$schema']).toBe('http://json-schema.org/draft-07/schema#')
    const isValid = new Ajv({ strict: true, code: { optimize: false } }).compile(schema)
    expect(isValid(parse(text))).toBe(true)
    expect(isValid(parse(text.replace('accounts:', 'acounts:')))).toBe(false)
  })

  it('makes a secret of its own every time', async () => {
    const secrets = await Promise.all(
      ['a', 'b'].map(async () => {
        const cwd = scratchFolder()
        await runCommand(initCommand, [], { cwd })
        return /ERP_SECRET=(whsec_\S+)/.exec(readFileSync(path.join(cwd, '.env.example'), 'utf8'))?.[1]
      }),
    )
    expect(Buffer.from(secrets[0]?.slice('whsec_'.length) ?? '', 'base64')).toHaveLength(32)
    expect(secrets[0]).not.toBe(secrets[1])
  })

  it('creates the folder it is given', async () => {
    const cwd = scratchFolder()
    const { stdout } = await runCommand(initCommand, ['deploy/bell'], { cwd })
    expect(stdout).toContain('Wrote deploy/bell/shipbell.yaml and deploy/bell/.env.example.')
    expect(existsSync(path.join(cwd, 'deploy/bell/shipbell.yaml'))).toBe(true)
  })

  it.each(['shipbell.yaml', '.env.example', 'shipbell.schema.json'])('overwrites nothing: %s', async (name) => {
    const cwd = scratchFolder({ [name]: 'mine' })
    const { exitCode, stderr } = await runCommand(initCommand, [], { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toBe(
      `${name} exists and is left alone: move it away, or name another folder with \`shipbell init DIR\`.`,
    )
    expect(readdirSync(cwd)).toEqual([name])
    expect(readFileSync(path.join(cwd, name), 'utf8')).toBe('mine')
  })

  it('says what to do where it cannot write', async () => {
    const cwd = scratchFolder({ file: '' })
    const { exitCode, stderr } = await runCommand(initCommand, ['file/inside'], { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^Cannot write into file\/inside \(E\w+\): name a folder that can be written with/)
  })
})
