import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import ipaddr from 'ipaddr.js'

export interface Issued {
  /** PEM. */
  readonly cert: string
  /** PEM, PKCS #8. */
  readonly key: string
  readonly name: string
  readonly privateKey: KeyObject
}

export interface CertificateRequest {
  /** Common name. */
  readonly name: string
  /** DNS names and IP addresses it is for. */
  readonly hosts?: readonly string[]
  /** Absent: signed by itself. */
  readonly issuer?: Issued
  readonly authority?: boolean
  readonly from?: Date
  readonly to?: Date
}

/** An X.509 certificate of an ECDSA P-256 key (RFC 5280), made here because no tool for it is everywhere. */
export function issueCertificate(request: CertificateRequest): Issued {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { name, issuer = { name, privateKey } } = request
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    commonName(issuer.name),
    sequence(utcTime(request.from ?? new Date('2020-01-01')), utcTime(request.to ?? new Date('2049-01-01'))),
    commonName(name),
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(...extensions(request))),
  )
  const signature = sign('sha256', body, issuer.privateKey)
  const cert = pem('CERTIFICATE', sequence(body, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature)))
  return { cert, key: String(privateKey.export({ format: 'pem', type: 'pkcs8' })), name, privateKey }
}

function extensions({ hosts = [], authority = false }: CertificateRequest): readonly Buffer[] {
  const constraints = sequence(...(authority ? [TRUE] : []))
  const basic = sequence(der(0x06, Buffer.from('551d13', 'hex')), TRUE, der(0x04, constraints))
  if (hosts.length === 0) return [basic]
  const names = sequence(...hosts.map(generalName))
  return [basic, sequence(der(0x06, Buffer.from('551d11', 'hex')), der(0x04, names))]
}

function generalName(host: string): Buffer {
  return ipaddr.isValid(host) ? der(0x87, Buffer.from(ipaddr.parse(host).toByteArray())) : der(0x82, Buffer.from(host))
}

function commonName(name: string): Buffer {
  return sequence(der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(name)))))
}

function utcTime(date: Date): Buffer {
  return der(0x17, Buffer.from(`${date.toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = Buffer.from(content.length.toString(16).padStart(content.length > 0xff ? 4 : 2, '0'), 'hex')
  const length = content.length < 0x80 ? size : Buffer.concat([Buffer.from([0x80 + size.length]), size])
  return Buffer.concat([Buffer.from([tag]), length, content])
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

const TRUE = der(0x01, Buffer.from([0xff]))
const ECDSA_SHA256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
