import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from '@hono/zod-openapi'
import { inTime, turnTaking } from '../../clock.ts'
import { asStarted } from '../../invocation.ts'
import { ShipbellError } from '../../errors.ts'
import { commonZone } from '../../model/time-zone.ts'
import { RequestViewer, viewedBy } from '../pages/parts/viewer.ts'
import { problemOf } from '../problem.ts'
import { MCP_PATH } from './mcp-path.ts'
import { type Answer, isTooLarge, refusalOf, resultOf } from './answer.ts'
import type { ToolDesk } from './tool-desk.ts'

/** What a tool does beside reading. */
interface Acts {
  /** Whether what it does cannot be undone. */
  readonly destructive: boolean
  /** Whether doing it twice does no more than doing it once. */
  readonly idempotent: boolean
  /** Whether it has something sent to where its arguments say. */
  readonly reachesOut?: boolean
}

/** A tool as an assistant sees it. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /** Null: it only reads. */
  readonly acts: Acts | null
  /** Whether the tool is there for whoever asks. */
  readonly isOffered: (desk: ToolDesk) => boolean
  /** What comes of a call. */
  readonly call: (args: Readonly<Record<string, unknown>>, desk: ToolDesk) => Promise<CallToolResult>
  /** Adds the tool to a server that answers on behalf of whoever has the desk. */
  readonly addTo: (server: McpServer, desk: ToolDesk) => void
}

interface ToolParts<Input extends z.ZodObject> {
  readonly name: string
  /** For people, in a list of tools. */
  readonly title: string
  /** What the tool does and when to call it; an acting tool says all that it will do. */
  readonly description: string
  readonly input: Input
  readonly output: z.ZodObject
  readonly acts?: Acts
  /** Beside whether whoever asks may act; left out: nothing more is asked. */
  readonly isOffered?: (desk: ToolDesk) => boolean
  readonly answer: (args: z.output<Input>, desk: ToolDesk, goOn: GoOn) => Promise<Answer>
}

/** Called between steps of work that may take long: others have their turn; throws where nobody waits any more. */
type GoOn = () => Promise<void>

/** How long a tool may take. */
const PATIENCE_MS = 5_000

/** A tool: `TOOLS` lists all. */
export function tool<Input extends z.ZodObject>(parts: ToolParts<Input>): Tool {
  const { answer, description, input, name, output, title } = parts
  const acts = parts.acts ?? null
  // The protocol says which JSON Schema it is.
  const unnamed = { $schema: undefined }
  const inputSchema: z.ZodObject = input.meta(unnamed)
  const outputSchema = output.meta(unnamed)
  const annotations: ToolAnnotations = {
    title,
    readOnlyHint: acts === null,
    destructiveHint: acts?.destructive ?? false,
    idempotentHint: acts?.idempotent ?? true,
    openWorldHint: acts?.reachesOut ?? false,
  }
  const call: Tool['call'] = async (args, desk) =>
    await viewedBy(readerOf(desk), async () =>
      said(parts, desk, async (goOn) => await answer(input.parse(args), desk, goOn)),
    )
  return {
    name,
    description,
    input,
    output,
    acts,
    isOffered: (desk) => (acts === null || desk.actions !== null) && (parts.isOffered?.(desk) ?? true),
    call,
    addTo: (server, desk) => {
      const config = { title, description, inputSchema, outputSchema, annotations }
      server.registerTool(name, config, async (args) => await call(args, desk))
    },
  }
}

/** Whoever reads what tools say: in English, on the clock of the accounts where they agree, else UTC's. */
function readerOf({ accounts }: ToolDesk): RequestViewer {
  const nothing = { asked: null, kept: null }
  return new RequestViewer({
    zone: nothing,
    language: { ...nothing, accepted: '' },
    address: null,
    usualZone: () => commonZone(accounts().map(({ timeZone }) => timeZone)),
  })
}

const LESS = 'ask for less, such as one account or a shorter time'
const LATER = 'it may be done yet; look before you ask for it again'

/** What comes of a call: an answer, or one sentence why there is none. Nothing of the insides of what nobody foresaw is in it. */
async function said(
  { acts, name }: Pick<ToolParts<z.ZodObject>, 'acts' | 'name'>,
  { clock, log }: ToolDesk,
  make: (goOn: GoOn) => Promise<Answer>,
): Promise<CallToolResult> {
  const givenUp = new AbortController()
  const turn = turnTaking(clock)
  const goOn: GoOn = async () => {
    await turn()
    givenUp.signal.throwIfAborted()
  }
  try {
    const answer = await inTime(make(goOn), { clock, ms: PATIENCE_MS, late: null })
    if (answer === null) {
      givenUp.abort()
      return refusalOf(`${name} took longer than 5 s: ${acts === undefined ? LESS : LATER}.`)
    }
    const result = resultOf(answer)
    return isTooLarge(result) ? refusalOf(`What ${name} found is larger than 25 kB: ask for less of it.`) : result
  } catch (error) {
    if (!(error instanceof ShipbellError))
      log.error({ path: MCP_PATH, tool: name, error: String(error) }, 'admin.failed')
    return refusalOf(asStarted(problemOf(error).detail))
  }
}
