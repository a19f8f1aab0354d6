import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Command } from 'commander'
import { configJsonSchema } from '../config/json-schema.ts'
import { ShipbellError } from '../errors.ts'
import { programName } from '../invocation.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'

/** The secret of the starting environment: replaced by a fresh one, so that no two installations share it. */
const SECRET_PLACEHOLDER = 'whsec_REPLACED_BY_INIT'

/** Beside the configuration, for editors. */
const SCHEMA = 'shipbell.schema.json'

export function initCommand(context: CommandContext): Command {
  return new Command('init')
    .description('Write a commented shipbell.yaml and .env.example to start from; overwrites nothing')
    .addOption(configOption().hideHelp())
    .argument('[dir]', 'where to; created if missing', '.')
    .action((dir: string) => {
      writeStart(path.resolve(context.cwd, dir), dir)
      context.stdout.write(nextSteps(dir, programName(context)))
    })
}

function writeStart(folder: string, shown: string): void {
  const files = [
    {
      file: path.join(folder, 'shipbell.yaml'),
      name: path.join(shown, 'shipbell.yaml'),
      text: `# yaml-language-server: $schema=./${SCHEMA}\n${starter('starter.yaml')}`,
      mode: 0o666,
    },
    {
      file: path.join(folder, SCHEMA),
      name: path.join(shown, SCHEMA),
      text: `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
      mode: 0o666,
    },
    {
      file: path.join(folder, '.env.example'),
      name: path.join(shown, '.env.example'),
      text: starterEnvironment(),
      // A copy takes it over, and is filled with more secrets.
      mode: 0o600,
    },
  ]
  const existing = files.find(({ file }) => existsSync(file))
  if (existing !== undefined) {
    throw new ShipbellError(
      'usage',
      `${existing.name} exists and is left alone: move it away, or name another folder with \`shipbell init DIR\`.`,
    )
  }
  try {
    createFolder(folder)
    for (const { file, text, mode } of files) writeFileSync(file, text, { flag: 'wx', mode })
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new ShipbellError(
      'usage',
      `Cannot write into ${shown} (${reason}): name a folder that can be written with \`shipbell init DIR\`.`,
      { cause },
    )
  }
}

/** Level by level: on some file systems (/proc) Node's recursive `mkdir` never ends. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return
  createFolder(path.dirname(folder))
  mkdirSync(folder)
}

function starter(name: string): string {
  return readFileSync(new URL(`../../config/${name}`, import.meta.url), 'utf8')
}

function starterEnvironment(): string {
  return starter('starter.env').replace(SECRET_PLACEHOLDER, `whsec_${randomBytes(32).toString('base64')}`)
}

function nextSteps(dir: string, program: string): string {
  const yaml = path.join(dir, 'shipbell.yaml')
  return [
    `Wrote ${yaml} and ${path.join(dir, '.env.example')}. Next:`,
    `  1. copy .env.example to .env beside it and fill it in`,
    `  2. put your platform and your receiver into ${yaml}; ${SCHEMA} tells your editor its keys`,
    `  3. ${program} check -c ${yaml}, then ${program} run -c ${yaml}`,
    '',
  ].join('\n')
}
