import { readFileSync } from 'node:fs'
import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { Command } from 'commander'
import { secretsOf, type Config } from '../config/config.ts'
import { requireConfig } from '../config/load-config.ts'
import { ShipbellError } from '../errors.ts'
import type { AccountSettings } from '../model/account.ts'
import { textField } from '../model/json.ts'
import { noteCreated } from '../operate/note-created.ts'
import { openIfMade } from '../operate/open-storage.ts'
import type { Call, CallBody, CallOutcome } from '../platform/platform.ts'
import { resolveCall, unknownEndpoint } from '../platform/site.ts'
import { redact, REDACTED } from '../redact.ts'
import type { CommandContext } from './command-context.ts'
import { configOption } from './options.ts'
import { requireAccount } from './require-named.ts'
import { terminalText } from './terminal.ts'

const PREPARATIONS = '/v1/orderPreparations'

interface Flags {
  readonly config: string
  readonly account?: string
  readonly data?: string
}

/** `stdin`: where `--data -` comes from; opened only where it is asked for. */
export function apiCommand(context: CommandContext, stdin: OpenInput = () => process.stdin): Command {
  return new Command('api')
    .description("Call one of the platform's endpoints with the credentials of an account, and print the answer")
    .argument('<method>', 'GET, POST or PATCH')
    .argument('<path>', '/v1/shipments?take=2, purchaseOrders/PO-1, ...')
    .option('--data <file>', 'the JSON body of a POST or PATCH; - reads it from standard input')
    .option('--account <name>', 'whose credentials; may be left out where there is one account')
    .addOption(configOption())
    .action(async (method: string, target: string, flags: Flags) => {
      const call = resolveCall(method, target)
      if (call === null) throw unknownEndpoint(method, target)
      const config = requireConfig(flags.config, context)
      const account = requireAccount(config, flags.account)
      const body = await readBody(flags.data, { method: call.method, cwd: context.cwd, stdin })
      const { connectPlatform } = await import('../app/connect-platform.ts')
      await using platform = connectPlatform(context, account)
      const outcome = await platform.call({ ...call, body }, context.signal)
      show(outcome, { context, writes: body !== null, secrets: secretsOf(config) })
      await watchCreated({ call, outcome }, { account, config, context })
    })
}

interface Creating {
  readonly account: AccountSettings
  readonly config: Config
  readonly context: CommandContext
}

/**
 * An order preparation that was created is read from then on. The platform has created it by now, whatever becomes of the store: a
 * failure here is said, and does not look like one of the call.
 */
async function watchCreated(
  { call, outcome }: { readonly call: Pick<Call, 'method' | 'path'>; readonly outcome: CallOutcome },
  { account, config, context }: Creating,
): Promise<void> {
  const reference =
    call.method === 'POST' && call.path.split('?')[0] === PREPARATIONS ? createdReference(outcome) : null
  if (reference === null) return
  const say = (sentence: string): void => context.stderr.write(`${terminalText(sentence)}\n`)
  const byHand = `list ${reference} under accounts.${account.name}.watch.order_preparations.references to have it watched.`
  try {
    await using store = await openIfMade(config.storage, { access: 'write', clock: context.clock })
    if (store === null) return say(`There is no store yet: ${byHand}`)
    await noteCreated({ store, clock: context.clock }, { account: account.name, reference })
  } catch (cause) {
    return say(`The store could not be told (${cause instanceof Error ? cause.message : String(cause)}): ${byHand}`)
  }
  if (account.watch.order_preparations !== undefined) return
  say(`The account ${account.name} watches no order preparations: add \`order_preparations: {}\` to its \`watch\`.`)
}

function createdReference(outcome: CallOutcome): string | null {
  if (outcome.kind !== 'answered' || outcome.status < 200 || outcome.status >= 300) return null
  const reference = outcome.body.kind === 'json' ? textField(outcome.body.value, 'reference') : null
  return reference === '' ? null : reference
}

type OpenInput = () => NodeJS.ReadableStream

interface BodySource {
  readonly method: string
  readonly cwd: string
  readonly stdin: OpenInput
}

/** The text as it is, so that no number loses a digit; refused where it is no JSON. */
async function readBody(file: string | undefined, { method, cwd, stdin }: BodySource): Promise<string | null> {
  if (method === 'GET') {
    if (file === undefined) return null
    throw new ShipbellError('usage', 'A GET carries no body: leave out --data, or choose POST or PATCH.')
  }
  if (file === undefined) {
    throw new ShipbellError(
      'usage',
      `A ${method} needs a body: name a JSON file with --data FILE (- is standard input).`,
    )
  }
  const text = (file === '-' ? await readAll(stdin()) : readFile(path.resolve(cwd, file), file)).replace(/^\uFEFF/, '')
  try {
    JSON.parse(text)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const where = file === '-' ? 'Standard input' : file
    throw new ShipbellError('usage', `${where} is not JSON (${terminalText(why)}); correct it.`, { cause })
  }
  return text
}

function readFile(absolute: string, file: string): string {
  try {
    return readFileSync(absolute, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new ShipbellError('usage', `The file ${file} of --data cannot be read (${code}); check its name.`, { cause })
  }
}

interface Showing {
  readonly context: CommandContext
  readonly writes: boolean
  readonly secrets: readonly string[]
}

function show(outcome: CallOutcome, { context, writes, secrets }: Showing): void {
  if (outcome.kind !== 'answered') {
    const doubt = writes ? ' Whether it was carried out is unknown: read it back before sending it again.' : ''
    throw new ShipbellError('platform_unavailable', outcome.reason + doubt)
  }
  showBody(outcome.body, { context, secrets })
  if (outcome.status >= 200 && outcome.status < 300) return
  context.stderr.write(`${outcome.reason}\n`)
  context.setExitCode(1)
}

function showBody(body: CallBody, { context, secrets }: Omit<Showing, 'writes'>): void {
  const safe = redact(body.text, secrets)
  if (body.kind === 'json') {
    const shown = safe === body.text ? undefined : (token: string) => redactToken(token, secrets)
    context.stdout.write(`${indentJson(body.text.replace(/^\uFEFF/, ''), shown)}\n`)
    return
  }
  if (safe === '') return
  const lines = context.stdout.isTTY === true ? safe.replaceAll(/[^\P{C}\n\t]/gu, '\u{FFFD}') : safe
  context.stdout.write(lines.endsWith('\n') ? lines : `${lines}\n`)
}

/** The document stays JSON, also where a number is a secret. */
function redactToken(token: string, secrets: readonly string[]): string {
  const safe = redact(token, secrets)
  return safe === token || token.startsWith('"') ? safe : JSON.stringify(REDACTED)
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** Valid JSON text with two spaces for each level, its numbers and texts digit for digit as they are, or as `shown` makes them. */
export function indentJson(text: string, shown = (token: string): string => token): string {
  const pieces: string[] = []
  let depth = 0
  let last = ''
  const newLine = (): string => `\n${'  '.repeat(depth)}`
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') {
      depth -= 1
      pieces.push(last === '{' || last === '[' ? token : newLine() + token)
    } else {
      const isFirst = last === '{' || last === '['
      pieces.push(isFirst || last === ',' ? newLine() + shown(token) : shown(token))
      if (token === '{' || token === '[') depth += 1
      if (token === ':') pieces.push(' ')
    }
    last = token
  }
  return pieces.join('')
}
