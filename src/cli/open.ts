import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Command } from 'commander'
import { signInLink } from '../operate/sign-in-link.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'

export function openCommand(context: CommandContext): Command {
  return new Command('open')
    .description('Open the desk in a browser, signed in; prints the address where there is none')
    .addOption(configOption())
    .option('--print', 'only print the address; it signs in once, within a minute')
    .action(async ({ config, print }: { readonly config: string; readonly print?: true }) => {
      const { desk, link } = await signInLink(config, context)
      const { stdout } = context
      const isOpened = print !== true && stdout.isTTY === true && (await openBrowser(link, context))
      stdout.write(isOpened ? `Opened ${desk} in the browser.\n` : `${link}\n`)
      if (!isOpened && stdout.isTTY === true && link !== desk) {
        context.stderr.write('This address signs in once, within a minute.\n')
      }
    })
}

/** Resolves to whether a browser took it. */
async function openBrowser(link: string, { env }: CommandContext): Promise<boolean> {
  const opener = openerOf(env)
  if (opener === null) return false
  const [command = '', ...args] = opener
  const child = spawn(command, [...args, link], { stdio: 'ignore', detached: true, env: { ...env } })
  child.unref()
  return await once(child, 'spawn').then(
    () => true,
    () => false,
  )
}

/** The program that opens a page, with its arguments; null: nobody sits in front of a screen. */
function openerOf({ BROWSER, DISPLAY, WAYLAND_DISPLAY }: CommandContext['env']): readonly string[] | null {
  if (BROWSER !== undefined && BROWSER !== '') return [BROWSER]
  if (process.platform === 'darwin') return ['open']
  // `start` takes what is quoted first for a title.
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '""']
  return (DISPLAY ?? '') === '' && (WAYLAND_DISPLAY ?? '') === '' ? null : ['xdg-open']
}
