import { createPrivateKey } from 'node:crypto'
import { readCertificates } from './certificates.ts'
import type { ConfigNode } from './config-node.ts'
import { problemAt } from './problem.ts'
import { text } from './scalar-types.ts'
import type { Reading, Shape } from './shape.ts'
import { value } from './value.ts'

const path = value(text)

/** One or more certificates: the path of a PEM file relative to the configuration, or PEM text, as `${file:…}` gives it. */
export const certificateFile: Shape<string> = pemFile((pem) =>
  readCertificates(pem).length > 0
    ? null
    : 'must hold certificates in PEM (`-----BEGIN CERTIFICATE-----`), all readable',
)

/** A private key that needs no passphrase; given like a certificate. */
export const privateKeyFile: Shape<string> = pemFile((pem) => {
  if (/^(?:-----BEGIN ENCRYPTED |Proc-Type: 4,ENCRYPTED)/m.test(pem))
    return 'is encrypted: store the key without a passphrase, readable by Shipbell alone'
  try {
    createPrivateKey(pem)
    return null
  } catch {
    return 'must hold a private key in PEM (`-----BEGIN PRIVATE KEY-----`)'
  }
})

function pemFile(whatIsWrong: (pem: string) => string | null): Shape<string> {
  return {
    outline: path.outline,
    read: (node, name, reading) => {
      const given = path.read(node, name, reading)
      if (given === undefined) return undefined
      const pem = given.includes('-----BEGIN ') ? { text: given } : textOf(given, node, reading)
      const wrong = 'reason' in pem ? pem.reason : whatIsWrong(pem.text)
      if ('text' in pem && wrong === null) return pem.text
      reading.report(problemAt(node.at, `\`${name}\` ${wrong}`))
      return undefined
    },
  }
}

/** What a variable holds may be the key itself, without its frame: it is never shown as a path. */
function textOf(given: string, node: ConfigNode, reading: Reading): ReturnType<Reading['file']> {
  const file = reading.file(given)
  if ('text' in file) return file
  const literal = node.kind === 'scalar' && node.literal
  return {
    reason: literal
      ? `cannot be had: ${file.reason}`
      : 'must be PEM, or the path of a PEM file; its variable holds neither',
  }
}
