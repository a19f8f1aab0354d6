import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Command } from 'commander'
import { connectPlatform } from '../app/connect-platform.ts'
import { requireConfig } from '../config/load-config.ts'
import { ShipbellError } from '../errors.ts'
import type { DocumentContent, DocumentFile } from '../model/document-content.ts'
import { documentContent } from '../platform/document-content.ts'
import { readVersion } from '../version.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { requireAccount } from './require-named.ts'
import { terminalText } from './terminal.ts'

interface GetOptions {
  readonly config: string
  readonly account?: string
  readonly output?: string
}

export function documentsCommand(context: CommandContext): Command {
  return new Command('documents').description('The files of documents').addCommand(getCommand(context))
}

function getCommand(context: CommandContext): Command {
  return new Command('get')
    .description('Fetch the file of a document through the platform, at most 50 MB')
    .argument('<id>', 'the id of the document')
    .option('-o, --output <file>', 'where it is saved; left out: it goes to standard output')
    .option('--account <name>', 'whose document; may be left out where there is one account')
    .addOption(configOption())
    .action(async (id: string, options: GetOptions) => {
      const { output } = options
      if (output === undefined && context.stdout.isTTY === true)
        throw new ShipbellError(
          'usage',
          'A file is no text for a terminal: save it with -o FILE, or redirect the output.',
        )
      const content = await fetchContent(context, id, options)
      if (content.kind !== 'file') throw failure(content)
      if (output === undefined) for (const chunk of content.chunks) context.writeBytes?.(chunk)
      else await save(content, path.resolve(context.cwd, output), context)
    })
}

async function fetchContent(context: CommandContext, id: string, options: GetOptions): Promise<DocumentContent> {
  const config = requireConfig(options.config, context)
  const account = requireAccount(config, options.account)
  await using platform = connectPlatform(context, account)
  return await documentContent({
    id,
    account,
    item: async () => platform.item('document', id, context.signal),
    allowNetworks: config.delivery.allowNetworks,
    clock: context.clock,
    userAgent: `shipbell/${readVersion()}`,
    signal: context.signal,
  })
}

function failure({ kind, reason }: Exclude<DocumentContent, DocumentFile>): ShipbellError {
  return new ShipbellError(kind === 'missing' ? 'not_found' : 'platform_unavailable', reason)
}

/** A file that is there is replaced once the new one is whole. */
async function save({ bytes, chunks }: DocumentFile, file: string, context: CommandContext): Promise<void> {
  const part = `${file}.${process.pid}.part`
  try {
    await writeFile(part, chunks)
    await rename(part, file)
  } catch (cause) {
    await rm(part, { force: true })
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new ShipbellError('usage', `${file} cannot be written (${code}); name another file with -o.`, { cause })
  }
  context.stdout.write(`${terminalText(file)}: ${bytes} bytes\n`)
}
