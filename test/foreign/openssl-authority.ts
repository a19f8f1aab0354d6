import { readFileSync, writeFileSync } from 'node:fs'
import { scratchFolder } from '../config/scratch.ts'
import { run } from './foreign-program.ts'

/** PEM texts, and the folder that has them as files: `ca.pem`, `cert.pem`, `key.pem`. */
export interface OwnCertificate {
  readonly folder: string
  readonly ca: string
  readonly cert: string
  readonly key: string
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const

/** A certificate for `localhost` of an authority of our own, as an operator makes both with openssl. */
export function ownCertificate(openssl: string): OwnCertificate {
  const folder = scratchFolder()
  const call = (...args: readonly string[]): void => run(openssl, args, folder)
  call(
    'req',
    '-x509',
    ...CURVE,
    '-keyout',
    'ca-key.pem',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Our own authority',
    '-days',
    '2',
  )
  call('req', ...CURVE, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=localhost')
  writeFileSync(
    `${folder}/extensions`,
    'subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=critical,CA:FALSE\n',
  )
  const signing = ['-req', '-in', 'request.pem', '-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial']
  call('x509', ...signing, '-days', '2', '-extfile', 'extensions', '-out', 'cert.pem')
  const read = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8')
  return { folder, ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
}
