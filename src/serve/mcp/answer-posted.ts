import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Posted } from '../admin-context.ts'
import { mcpServer } from './mcp-server.ts'
import type { ToolDesk } from './tool-desk.ts'

/**
 * Answers one message by a server made for it alone, in JSON: nothing is kept from one to the next. Revisions of the protocol with
 * their version in each message and those that begin with `initialize` are told apart by the SDK.
 */
export async function answerPosted({ body, headers }: Posted, desk: ToolDesk): Promise<Response> {
  // What is answered is JSON, whichever of the two the client would rather have.
  const accept = 'application/json, text/event-stream'
  const request = new Request('http://localhost/mcp', { method: 'POST', body, headers: { ...headers, accept } })
  if (!(await isLegacyRequest(request))) return await modern(request, desk)
  const server = mcpServer(desk)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request)
  } finally {
    await server.close()
  }
}

async function modern(request: Request, desk: ToolDesk): Promise<Response> {
  // Nobody listens for changes here: what may be done does not change while a token stays.
  const handler = createMcpHandler(() => mcpServer(desk), { legacy: 'reject', maxSubscriptions: 0 })
  try {
    return await handler.fetch(request)
  } finally {
    await handler.close()
  }
}
