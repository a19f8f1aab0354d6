import { createHash } from 'node:crypto'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { publicKeysOf } from '../../model/signing-key.ts'
import type { Subscription } from '../../model/subscription.ts'
import type { AdminContext } from '../admin-context.ts'
import type { AdminEnv } from '../admin-env.ts'
import { KEYS_AT } from '../access/guard-access.ts'
import { answer } from './answers.ts'

const key = z
  .object({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: z.string().openapi({ description: 'The 32 bytes of the key in base64url.' }),
    kid: z.string().openapi({ description: 'The thumbprint of the key (RFC 7638).' }),
    use: z.literal('sig'),
    alg: z.literal('EdDSA'),
    public_key: z.string().openapi({ description: 'The key as receivers of Standard Webhooks take it: `whpk_…`.' }),
  })
  .openapi('PublicKey', { description: 'A JSON Web Key (RFC 8037)' })

const KEYS = createRoute({
  method: 'get',
  path: KEYS_AT,
  operationId: 'listPublicKeys',
  summary: 'The public keys of all `whsk_` secrets that sign webhooks now; it answers everyone',
  security: [],
  responses: { 200: answer('A JSON Web Key Set.', z.object({ keys: z.array(key) })) },
})

/** Receivers that meet a signature of a key that is new to them ask again at once. */
const FRESH = 'public, max-age=300'

/** What receivers verify `v1a` signatures with. Whose key is whose is not said: names of subscriptions are not for everyone. */
export function keyRoutes({ subscriptions }: Pick<AdminContext, 'subscriptions'>): OpenAPIHono<AdminEnv> {
  const routes = new OpenAPIHono<AdminEnv>()
  routes.openapi(KEYS, (c) =>
    c.json({ keys: publicKeys(subscriptions()).map(webKey) }, 200, { 'Cache-Control': FRESH }),
  )
  return routes
}

/** Every `whpk_` key once, in the order of keys, which says nothing of subscriptions. */
function publicKeys(subscriptions: readonly Subscription[]): readonly string[] {
  return [...new Set(subscriptions.flatMap(({ channel }) => publicKeysOf(channel)))].toSorted()
}

function webKey(publicKey: string): z.infer<typeof key> {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
  // The members that RFC 7638 hashes, in its order.
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
  return { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA', public_key: publicKey }
}
