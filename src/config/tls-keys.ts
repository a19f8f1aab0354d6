import { createPrivateKey } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { readCertificates } from './certificates.ts'
import { childOf, type MapNode } from './config-node.ts'
import { certificateFile, privateKeyFile } from './pem-file.ts'
import { problemAt } from './problem.ts'
import { section } from './section.ts'
import { optional, type Reading } from './shape.ts'

interface TlsKeys {
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
}

/** Trust and client certificate of one subscription (guarantee K9, `tls`). */
export const tls = section(
  {
    ca: optional(certificateFile, "PEM file of authorities to trust beside the system's."),
    cert: optional(certificateFile, 'PEM file of the client certificate, then its chain; needs `key`.'),
    key: optional(privateKeyFile, 'PEM file of the private key of `cert`, without a passphrase.'),
  },
  { check: fitsTogether },
)

function fitsTogether(keys: TlsKeys, node: MapNode, reading: Reading): boolean {
  const wrong = whatIsWrong(keys)
  if (wrong === null) return true
  reading.report(problemAt(childOf(node, wrong.key)?.at ?? node.at, wrong.message))
  return false
}

function whatIsWrong(keys: TlsKeys): { readonly key: keyof TlsKeys; readonly message: string } | null {
  const { cert, key } = keys
  if (cert !== undefined && key === undefined)
    return { key: 'cert', message: '`cert` needs its private key: add `key`' }
  if (key !== undefined && cert === undefined) return { key: 'key', message: '`key` needs its certificate: add `cert`' }
  if (cert !== undefined && key !== undefined && !belongs(cert, key))
    return { key: 'key', message: '`key` does not belong to the first certificate of `cert`' }
  const refusal = refusalOf(keys)
  return refusal === null ? null : { key: cert === undefined ? 'ca' : 'cert', message: refusal }
}

function belongs(cert: string, key: string): boolean {
  return readCertificates(cert)[0]?.checkPrivateKey(createPrivateKey(key)) ?? false
}

/** OpenSSL has rules of its own: a key that is too short, a digest that is too weak. */
function refusalOf(keys: TlsKeys): string | null {
  try {
    createSecureContext(Object.fromEntries(Object.entries(keys).filter(([, pem]) => pem !== undefined)))
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unusable'
    return `OpenSSL refuses these certificates (${code}): have stronger ones issued`
  }
}
