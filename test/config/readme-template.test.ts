import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { subscriptionsCommand } from '../../src/cli/subscriptions.ts'
import { runCommand } from '../cli/run-command.ts'
import { scratchFolder } from './scratch.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const SECTION = README.slice(README.indexOf('## Messages in your own words'), README.indexOf('## Verify a signature'))

function block(language: string): string {
  return new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(SECTION)?.[1] ?? ''
}

it('the example of the README is valid, and shows what the README shows', async () => {
  const accounts = 'accounts: { acme: { base_url: "https://p.example", api_key: key } }\n'
  const cwd = scratchFolder({ 'shipbell.yaml': accounts + block('yaml'), 'eta.liquid': block('liquid') })
  const command = /`npx shipbell subscriptions (preview [^`]+)`/.exec(SECTION)?.[1]?.split(' ') ?? []
  const env = { SLACK_URL: 'https://hooks.slack.example/T/B/x' }
  const { exitCode, stdout, stderr } = await runCommand(subscriptionsCommand, command, { cwd, env })
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(stdout).toBe(SECTION.split('```\n').find((part) => part.startsWith('shipment.eta_changed')))
})
