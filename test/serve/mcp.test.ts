import { expect, test } from 'vitest'
import { connected } from './mcp-client.ts'
import { MARK, sharedDesk, TOKENS } from './shared-desk.ts'

const READING = ['find_shipments', 'get_status']

test.each(['auto', 'legacy'] as const)('the official client lists and calls tools (%s)', async (mode) => {
  const desk = await sharedDesk()
  const client = await connected(desk, TOKENS.looks, mode)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(READING)
  const found = await client.callTool({ name: 'find_shipments', arguments: { query: 'goods' } })
  expect(found.structuredContent).toMatchObject({ items: [{ account: 'acme', name: 'seen goods' }], next: null })
  expect(JSON.stringify(found)).not.toContain(MARK)
  const status = await client.callTool({ name: 'get_status', arguments: {} })
  expect(JSON.stringify(status)).not.toContain(MARK)
  const wrong = await client.callTool({ name: 'find_shipments', arguments: { text: 'goods' } })
  expect(wrong).toMatchObject({ isError: true })
  await client.close()
})
