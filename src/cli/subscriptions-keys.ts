import { generateKeyPairSync } from 'node:crypto'
import { Command } from 'commander'
import { requireConfig } from '../config/load-config.ts'
import { publicKeysOf } from '../model/signing-key.ts'
import type { Subscription } from '../model/subscription.ts'
import { asInvoked, type CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { jsonOption, jsonOutput, templateOption, type JsonOptions } from './json-output.ts'
import { painter } from './terminal.ts'
import { writeTable } from './table.ts'

interface Options extends JsonOptions {
  readonly config: string
  readonly new?: true
}

/** What a receiver of `v1a` signatures needs, and how an operator gets a pair. */
export function subscriptionsKeysCommand(context: CommandContext): Command {
  return new Command('keys')
    .description('The public keys (whpk_) that receivers of v1a signatures verify with')
    .addOption(configOption())
    .option('--new', 'make a key pair instead: the whsk_ key for `secret`, the whpk_ key for the receiver')
    .addOption(jsonOption())
    .addOption(templateOption())
    .action((options: Options) => (options.new === true ? writeNewPair(context, options) : listKeys(context, options)))
}

function listKeys(context: CommandContext, { config, ...options }: Options): void {
  const json = jsonOutput(context, options)
  const keys = requireConfig(config, context).subscriptions.flatMap(publicKeys)
  if (json !== null) json.document(keys)
  else if (keys.length === 0)
    context.stdout.write(
      asInvoked('No subscription signs with a whsk_ key; `shipbell subscriptions keys --new` makes one.\n', context),
    )
  else {
    const rows = keys.map(({ subscription, public_key }) => [subscription, public_key])
    writeTable([{ title: 'SUBSCRIPTION' }, { title: 'PUBLIC KEY' }], rows, {
      stream: context.stdout,
      paint: painter(context),
    })
  }
}

function publicKeys({ name, channel }: Subscription): readonly { subscription: string; public_key: string }[] {
  return publicKeysOf(channel).map((key) => ({ subscription: name, public_key: key }))
}

function writeNewPair(context: CommandContext, options: Options): void {
  const json = jsonOutput(context, options)
  const { secret, publicKey } = newPair()
  if (json !== null) json.document({ secret, public_key: publicKey })
  else context.stdout.write(`secret      ${secret}\npublic key  ${publicKey}\n`)
}

/** RFC 8410: the seed and the public key are the last 32 bytes of their encodings. */
function newPair(): { readonly secret: string; readonly publicKey: string } {
  const pair = generateKeyPairSync('ed25519')
  const seed = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const half = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    secret: `whsk_${Buffer.concat([seed, half]).toString('base64')}`,
    publicKey: `whpk_${half.toString('base64')}`,
  }
}
