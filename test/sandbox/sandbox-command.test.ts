import { describe, expect, it } from 'vitest'
import { sandboxCommand } from '../../src/cli/sandbox.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { START } from './spoken.ts'
import { commandContext } from '../support/command-context.ts'

interface Session {
  /** Resolves with everything printed once it ends with a full screen of instructions. */
  readonly printed: Promise<string>
  readonly ended: Promise<unknown>
  stop(): void
}

function run(...flags: readonly string[]): Session {
  const controller = new AbortController()
  const ready = Promise.withResolvers<string>()
  let text = ''
  const stdout = {
    write: (part: string) => {
      text += part
      if (text.includes('Ctrl-C')) ready.resolve(text)
    },
  }
  const context = commandContext({
    stdout,
    stderr: stdout,
    clock: new FakeClock(START),
    signal: controller.signal,
    setExitCode: () => expect.unreachable(),
  })
  const ended = sandboxCommand(context)
    .exitOverride()
    .parseAsync([...flags], { from: 'user' })
  return { printed: ready.promise, ended, stop: () => controller.abort() }
}

describe('shipbell sandbox', () => {
  it('prints where it is, its key and a curl line that works, and runs until it is told to stop', async () => {
    const session = run('--port', '0', '--shipments', '4', '--speed', '2.5', '--seed', 'spring', '--api-key', 'secret')
    const text = await session.printed
    const [, key, url] = /curl -H 'Authorization: Bearer (\S+)' '(\S+)'/.exec(text) ?? []
    expect(key).toBe('secret')
    const response = await fetch(String(url), { headers: { authorization: `Bearer ${key}` } })
    expect(await response.json()).toHaveLength(2)
    session.stop()
    await session.ended
    await expect(fetch(String(url))).rejects.toThrow('fetch failed')
  })

  it.each([
    [['--port', '99999'], '--port must be a whole number from 0 to 65535, not "99999".'],
    [['--port', 'http'], '--port must be a whole number from 0 to 65535, not "http".'],
    [['--shipments', '-1'], '--shipments must be a whole number from 0 to 100000, not "-1".'],
    [['--speed', '0'], '--speed must be a number above 0 and up to 1000000, not "0".'],
    [['--speed', 'fast'], '--speed must be a number above 0 and up to 1000000, not "fast".'],
    [['--api-key', 'a b'], '--api-key must be visible ASCII characters without spaces, as an HTTP header carries it.'],
    [['--data', 'none.csv'], expect.stringMatching(/^--data cannot read \/none\.csv \(.*\); name a CSV file .*\.$/)],
    [
      ['--faults', 'storm'],
      '--faults must be none, light, heavy or probabilities from 0 to 1 like 429=0.05,shift=0.1 (of 429, 500, stall, broken, html, shift), not "storm".',
    ],
    [
      ['--faults', '429=0.1,500=2'],
      '--faults must be none, light, heavy or probabilities from 0 to 1 like 429=0.05,shift=0.1 (of 429, 500, stall, broken, html, shift), not "429=0.1,500=2" at "500=2".',
    ],
  ])('refuses %j in one sentence', async (flags, message) => {
    await expect(run(...flags).ended).rejects.toMatchObject({ name: 'ShipbellError', code: 'usage', message })
  })

  it('lets requests go wrong as --faults says', async () => {
    const session = run('--port', '0', '--shipments', '4', '--faults', 'html=1')
    const text = await session.printed
    const [, url] = /'(http:\S+)'/.exec(text) ?? []
    const response = await fetch(String(url), { headers: { authorization: 'Bearer sandbox' } })
    expect([response.status, await response.text()]).toEqual([200, expect.stringMatching(/^<!doctype html>/)])
    expect(text).toContain('faults html=1')
    session.stop()
    await session.ended
  })

  it('explains every fault and profile in its help', async () => {
    let help = ''
    const command = sandboxCommand(commandContext())
    command.exitOverride().configureOutput({ writeOut: (text) => (help += text) })
    await expect(command.parseAsync(['--help'], { from: 'user' })).rejects.toThrow()
    for (const word of ['429', '500', 'stall', 'broken', 'html', 'shift', 'light', 'heavy'])
      expect(help).toContain(word)
  })
})
