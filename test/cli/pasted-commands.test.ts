import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { asInvoked, configFileIn } from '../../src/cli/command-context.ts'
import { shellWord } from '../../src/printable.ts'
import { onceCommand } from '../../src/cli/once.ts'
import { statusCommand } from '../../src/cli/status.ts'
import { scratchFolder } from '../config/scratch.ts'
import { runCommand } from './run-command.ts'

describe('a command that is printed', () => {
  test.each([
    ['`shipbell run`', '`shipbell run -c prod.yaml`'],
    ['see `shipbell holds accept --account a`, or not', 'see `shipbell holds accept --account a -c prod.yaml`, or not'],
    ['`shipbell events list | head`', '`shipbell events list -c prod.yaml | head`'],
    ['`shipbell schema config > a.json`', '`shipbell schema config > a.json`'],
    ['`shipbell plan --json > plan.json`', '`shipbell plan --json -c prod.yaml > plan.json`'],
    ['`shipbell init DIR` and `shipbell events types`', '`shipbell init DIR` and `shipbell events types`'],
    ['`shipbell status --help`', '`shipbell status --help`'],
    ['no `where: x` of ours', 'no `where: x` of ours'],
  ])('names the -c that was given: %s', (sentence, expected) => {
    expect(asInvoked(sentence, { env: {}, configFile: 'prod.yaml' })).toBe(expected)
    expect(asInvoked(sentence, { env: {} })).toBe(sentence)
  })

  test.each(['a b.yaml', "it's.yaml", '$HOME.yaml', '`id`.yaml', 'a;b.yaml', '*.yaml', '', '-x', 'ä.yaml', '"q".yaml'])(
    'is one word for a shell: %j',
    (name) => {
      expect(execFileSync('sh', ['-c', `printf %s ${shellWord(name)}`], { encoding: 'utf8' })).toBe(name)
    },
  )

  test.each([
    [['run', '-c', 'a.yaml'], 'a.yaml'],
    [['run', '-ca.yaml'], 'a.yaml'],
    [['status', '--config', 'a.yaml', '--json'], 'a.yaml'],
    [['status', '--config=a.yaml'], 'a.yaml'],
    [['status', '--json'], undefined],
    [['trigger', '--', '-c', 'a.yaml'], undefined],
  ])('of %j names %s', (words, expected) => {
    expect(configFileIn(words)).toBe(expected)
  })

  test('names it in errors and in what commands say', async () => {
    const cwd = scratchFolder({ 'my shop.yaml': 'accounts: {}\n' })
    const status = await runCommand(statusCommand, ['-c', 'my shop.yaml'], { cwd })
    expect(status.stderr).toContain("start the daemon with `shipbell run -c 'my shop.yaml'` first")
    expect((await runCommand(onceCommand, ['-c', 'nowhere.yaml'], { cwd })).stderr).toContain('`shipbell init`')
  })
})
