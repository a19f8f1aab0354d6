import { createPrivateKey, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import type { TlsSettings } from '../model/subscription.ts'
import { isLiteral, withReplaced, type ConfigNode } from './config-node.ts'
import { problemAt, type Problem } from './problem.ts'
import { issueOf } from './schema-parts.ts'
import { text } from './values.ts'
import type { FileText } from './variables.ts'

const certificates = text.refine(
  (pem) => pem === '' || readCertificates(pem).length > 0,
  'must hold certificates in PEM (`-----BEGIN CERTIFICATE-----`), all readable',
)

const privateKey = text.superRefine((pem, context) => {
  const wrong = pem === '' ? null : whatIsWrong(pem)
  if (wrong !== null) context.addIssue(wrong)
})

/** Trust and client certificate of one account, subscription or mail server: the path of a PEM file each, or PEM text, as `${file:…}` gives it. */
export const tls = z
  .strictObject({
    ca: certificates.optional().describe("PEM file of authorities to trust beside the system's."),
    cert: certificates.optional().describe('PEM file of the client certificate, then its chain; needs `key`.'),
    key: privateKey.optional().describe('PEM file of the private key of `cert`, without a passphrase.'),
  })
  .superRefine((keys, context) => {
    const misfit = misfitOf(keys)
    if (misfit !== null) context.addIssue(issueOf(misfit.message, { key: misfit.key, rule: true }))
  })

export type TlsKeys = { readonly [K in 'ca' | 'cert' | 'key']?: string | undefined }

/** The TLS settings that the keys say; null: nothing was said. */
export function tlsOf(keys: TlsKeys | undefined): TlsSettings | null {
  return keys === undefined ? null : { ca: keys.ca ?? null, cert: keys.cert ?? null, key: keys.key ?? null }
}

/** The certificates of a PEM text, in its order; none where one of them cannot be read. */
export function readCertificates(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.map((block) => new X509Certificate(block))
  } catch {
    return []
  }
}

/** A mapping with `tls` in it, the PEM text in place of each path under `tls`. */
export function withPemFiles(
  holder: ConfigNode,
  file: (path: string) => FileText,
  report: (problem: Problem) => void,
): ConfigNode {
  const pemOf = (key: string, node: ConfigNode | undefined): ConfigNode | undefined => {
    if (node?.kind !== 'scalar' || typeof node.value !== 'string' || node.value === '') return node
    if (node.value.includes('-----BEGIN ')) return node
    const source = file(node.value)
    // An empty file is no PEM; it is not a key without a value.
    if ('text' in source) return { ...node, value: source.text === '' ? '\n' : source.text }
    // What a variable holds may be the key itself, without its frame: it is never shown as a path.
    const reason = isLiteral(node)
      ? `cannot be had: ${source.reason}`
      : 'must be PEM, or the path of a PEM file; its variable holds neither'
    report(problemAt(node.at, `\`${key}\` ${reason}`))
    return { kind: 'broken', at: node.at, keyAt: node.keyAt }
  }
  return ['ca', 'cert', 'key'].reduce(
    (root, key) => withReplaced(root, ['tls', key], (node) => pemOf(key, node)),
    holder,
  )
}

/** What is wrong with the PEM of a private key. */
function whatIsWrong(pem: string): string | null {
  if (/^(?:-----BEGIN ENCRYPTED |Proc-Type: 4,ENCRYPTED)/m.test(pem))
    return 'is encrypted: store the key without a passphrase, readable by Shipbell alone'
  try {
    createPrivateKey(pem)
    return null
  } catch {
    return 'must hold a private key in PEM (`-----BEGIN PRIVATE KEY-----`)'
  }
}

function misfitOf(keys: TlsKeys): { readonly key: keyof TlsKeys; readonly message: string } | null {
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
  if (whatIsWrong(key) !== null) return false
  return readCertificates(cert)[0]?.checkPrivateKey(createPrivateKey(key)) ?? false
}

/** OpenSSL has rules of its own: a key that is too short, a digest that is too weak. */
function refusalOf(keys: TlsKeys): string | null {
  try {
    // Few files name certificates, and TLS takes 20 ms to load.
    const { createSecureContext } = process.getBuiltinModule('node:tls')
    createSecureContext(Object.fromEntries(Object.entries(keys).filter(([, pem]) => pem !== undefined)))
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unusable'
    return `OpenSSL refuses these certificates (${code}): have stronger ones issued`
  }
}
