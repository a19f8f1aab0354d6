import { expect, it } from 'vitest'
import { subscriptionsCommand } from '../../src/cli/subscriptions.ts'
import { runCommand } from '../cli/run-command.ts'
import { scratchFolder } from '../config/scratch.ts'
import { readPage } from './pages.ts'

const { blocks } = readPage('docs/how-to/write-your-own-messages.md')

function block(language: string, role?: string): string {
  return blocks.find((each) => each.language === language && (role === undefined || each.role === role))?.text ?? ''
}

it('the example of a template is valid, and shows what its page shows', async () => {
  const accounts = 'accounts: { acme: { base_url: "https://p.example", api_key: key } }\n'
  const cwd = scratchFolder({ 'shipbell.yaml': accounts + block('yaml'), 'eta.liquid': block('liquid') })
  const command = /npx shipbell subscriptions (preview [^\n]+)/.exec(block('sh', 'run'))?.[1]?.split(' ') ?? []
  const env = { SLACK_URL: 'https://hooks.slack.example/T/B/x' }
  const { exitCode, stdout, stderr } = await runCommand(subscriptionsCommand, command, { cwd, env })
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(stdout).toBe(block('text', 'output'))
})
