import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_CATALOGUE } from '../../src/model/event-catalogue.ts'
import { Workplace } from '../support/shipbell.ts'

const CONFIGURATION = `accounts:
  acme: { base_url: "http://127.0.0.1:1", api_key: "\${UNSET}" }
  beta: { base_url: "http://127.0.0.1:1", api_key: "\${UNSET}" }
  "$(touch owned)": {}
subscriptions:
  erp: { url: "http://127.0.0.1:1", secret: "\${UNSET}" }
`

describe('completion', () => {
  let place: Workplace
  beforeAll(() => {
    place = new Workplace()
    place.write('shipbell.yaml', CONFIGURATION)
    place.write('other.yaml', CONFIGURATION.replace('acme', 'other'))
    place.write('$(touch owned).yaml', '')
  })
  afterAll(() => place[Symbol.dispose]())

  async function offered(...words: readonly string[]): Promise<readonly string[]> {
    const { code, stdout, stderr } = await place.run('complete', '--', ...words)
    expect([code, stderr]).toEqual([0, ''])
    const lines = stdout.trimEnd().split('\n')
    expect(lines.pop()).toBe(':4')
    return lines.map((line) => line.split('\t')[0] ?? '')
  }

  it.each([
    [['stat'], ['status']],
    [
      ['events', ''],
      ['list', 'show', 'types'],
    ],
    [['events', 'list', '--acc'], ['--account']],
    [
      ['events', 'list', '--account', ''],
      ['acme', 'beta'],
    ],
    [['events', 'list', '-c', 'other.yaml', '--account', 'o'], ['other']],
    [['events', 'list', '--config=nowhere.yaml', '--account', ''], []],
    [['subscriptions', 'enable', ''], ['erp']],
    [['deliveries', 'list', '--state', 'ex'], ['exhausted']],
    [['holds', 'accept', '--resource', 'order'], ['order_preparations']],
    [
      ['check', '-c', ''],
      ['other.yaml', 'shipbell.yaml'],
    ],
    [['no', 'such', 'command', ''], []],
  ])('of %j offers %j', async (words, offers) => {
    expect(await offered(...words)).toEqual(offers)
  })

  it('knows every event type', async () => {
    expect(await offered('events', 'list', '--type', '')).toEqual(EVENT_CATALOGUE.map(({ type }) => type))
  })

  it('says nothing that it cannot say, even of a broken configuration', async () => {
    place.write('broken.yaml', 'accounts: [\n')
    expect(await offered('status', '-c', 'broken.yaml', '--account', '')).toEqual([])
    expect((await place.run('complete')).stderr).toBe('')
  })

  it('works in bash, also read twice and without bash-completion, and runs nothing that a name says', () => {
    const entry = fileURLToPath(new URL('../../src/bin.js', import.meta.url))
    chmodSync(place.write('shipbell', `#!/bin/sh\nexec ${process.execPath} ${entry} "$@"\n`), 0o755)
    const script = `
      PATH=.:$PATH
      source <(shipbell completion bash)
      source <(shipbell completion bash)
      compopt() { :; }
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); __shipbell_complete; echo "\${COMPREPLY[*]}"; }
      try shipbell ev
      try shipbell events list --account ''
      try shipbell check -c ''
      complete -p shipbell`
    const { stderr, stdout } = spawnSync('bash', ['--norc', '-c', script], { cwd: place.folder, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout.split('\n')).toEqual([
      'events',
      'acme beta',
      expect.stringContaining('shipbell.yaml'),
      'complete -F __shipbell_complete shipbell',
      '',
    ])
    expect(existsSync(path.join(place.folder, 'owned'))).toBe(false)
  })

  it.each(['zsh', 'fish'])('has a script for %s', async (shell) => {
    const { code, stdout, stderr } = await place.run('completion', shell)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('shipbell complete --')
  })
})
