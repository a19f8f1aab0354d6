import { expect, test } from 'vitest'
import { connected } from './mcp-client.ts'
import { argumentsFor, READING } from './mcp-desk.ts'
import { HIDDEN, idsOf, sharedDesk, TOKENS } from './shared-desk.ts'

test.each([
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const)('the official client lists, calls, reads and completes (%s)', async (mode, revision) => {
  const desk = await sharedDesk()
  const client = await connected(desk, TOKENS.looks, mode)
  expect(client.getNegotiatedProtocolVersion()).toBe(revision)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(READING)
  for (const { annotations, outputSchema } of tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false })
    expect(outputSchema).toBeDefined()
  }
  // The client holds what is structured against the schema of the tool.
  const found = await client.callTool({ name: 'find_shipments', arguments: { query: 'goods' } })
  expect(found.structuredContent).toMatchObject({ items: [{ account: 'acme', name: 'seen goods' }], next: null })
  const asked = argumentsFor({ mark: 'seen', account: 'acme' })
  for (const name of READING) {
    const args = asked[name] ?? {}
    expect([name, (await client.callTool({ name, arguments: args })).isError ?? false]).toEqual([
      name,
      name === 'get_order',
    ])
  }
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(
    expect.arrayContaining(['shipbell://schema/config', 'shipbell://events', 'shipbell://docs/how-to/mail.md']),
  )
  const page = await client.readResource({ uri: 'shipbell://docs/how-to/mail.md' })
  expect(JSON.stringify(page)).toContain('# ')
  const uri = `shipbell://shipment/acme/${encodeURIComponent(idsOf('seen').shipment)}`
  expect(JSON.stringify(await client.readResource({ uri }))).toContain('seen goods')
  await expect(client.readResource({ uri: uri.replace('acme', HIDDEN) })).rejects.toThrow()
  await expect(client.readResource({ uri: 'shipbell://docs/../package.json' })).rejects.toThrow()
  const ref = { type: 'ref/resource', uri: 'shipbell://shipment/{account}/{id}' } as const
  const complete = async (name: string, value: string) =>
    (await client.complete({ ref, argument: { name, value } })).completion.values
  expect(await complete('id', 'goods')).toEqual([idsOf('seen').shipment])
  expect([await complete('account', ''), await complete('account', HIDDEN)]).toEqual([['acme'], []])
  await client.close()
})
