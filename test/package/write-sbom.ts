import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A package of the lock file, by the folder that it is in. */
interface Locked {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

type Packages = Readonly<Record<string, Locked>>

/**
 * What the package is made of, as CycloneDX 1.5: every package of the lock file that is installed without those of developers. What
 * `npm sbom --omit dev` prints lacks each package that a tool of developers needs, too.
 */
export function sbomOf(packages: Packages): object {
  const shipped = Object.entries(packages).filter(
    ([at, { dev }]) => at !== '' && dev !== true && at.includes('node_modules/'),
  )
  const root = packages[''] ?? {}
  const components = shipped.map(([at, locked]) => componentOf(nameAt(at, locked), whole(packages, locked)))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: serialNumberOf(JSON.stringify(components)),
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'pre-build' }],
      component: { ...componentOf(root.name ?? 'shipbell', root), type: 'application' },
    },
    components,
    dependencies: [['', root] as const, ...shipped].map(([at, locked]) => ({
      ref: refOf(nameAt(at, locked), whole(packages, locked)),
      dependsOn: neededBy(packages, at, whole(packages, locked)),
    })),
  }
}

/** A workspace is a link to its folder. */
function whole(packages: Packages, locked: Locked): Locked {
  return locked.link === true ? { ...packages[locked.resolved ?? ''] } : locked
}

function nameAt(at: string, { name }: Locked): string {
  return name ?? at.split('node_modules/').at(-1) ?? at
}

function refOf(name: string, { version = '0.0.0' }: Locked): string {
  return `${name}@${version}`
}

function componentOf(name: string, locked: Locked): object {
  const { integrity, license, optional = false, version = '0.0.0' } = locked
  const [algorithm = '', digest = ''] = integrity?.split('-') ?? []
  const content = Buffer.from(digest, 'base64').toString('hex')
  return {
    'bom-ref': refOf(name, locked),
    type: 'library',
    name,
    version,
    scope: optional ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(integrity !== undefined && { hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content }] }),
    ...(license !== undefined && {
      licenses: [/\W(?:AND|OR)\W/.test(license) ? { expression: license } : { license: { id: license } }],
    }),
  }
}

/** As Node finds it: in the nearest `node_modules`. Peers and what is optional may not be installed. */
function neededBy(packages: Packages, at: string, locked: Locked): readonly string[] {
  const names = Object.keys({ ...locked.dependencies, ...locked.optionalDependencies, ...locked.peerDependencies })
  const found = names.flatMap((name) => {
    const place = foldersAbove(at).find((folder) => packages[`${folder}node_modules/${name}`] !== undefined)
    const needed = place === undefined ? undefined : packages[`${place}node_modules/${name}`]
    return needed === undefined || needed.dev === true ? [] : [refOf(name, whole(packages, needed))]
  })
  return [...new Set(found)]
}

function foldersAbove(at: string): readonly string[] {
  const steps = at === '' ? [] : at.split('/node_modules/')
  return [...steps.map((_, nth) => `${steps.slice(0, steps.length - nth).join('/node_modules/')}/`), '']
}

/** The same for the same packages. */
function serialNumberOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return `urn:uuid:${parts.join('-')}`
}

const LOCK = fileURLToPath(new URL('../../package-lock.json', import.meta.url))

export function lockedPackages(): Packages {
  const { packages }: { readonly packages: Packages } = JSON.parse(readFileSync(LOCK, 'utf8'))
  return packages
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(`${JSON.stringify(sbomOf(lockedPackages()), null, 2)}\n`)
