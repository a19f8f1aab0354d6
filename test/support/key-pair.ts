import { generateKeyPairSync } from 'node:crypto'

/** A key pair as Standard Webhooks writes it. */
export function keyPair(): { readonly secret: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  // RFC 8410: the seed and the public key are the last 32 bytes of their encodings.
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const half = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    secret: `whsk_${Buffer.concat([seed, half]).toString('base64')}`,
    publicKey: `whpk_${half.toString('base64')}`,
  }
}
