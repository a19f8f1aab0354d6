import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { lockedPackages } from './write-sbom.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

interface Sbom {
  readonly components: readonly {
    readonly 'bom-ref': string
    readonly purl: string
    readonly hashes?: readonly object[]
  }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

test('the bill of materials has each package of the lock file that is installed without developers’, and no other', () => {
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  )
  const [, ...script] = (scripts['sbom'] ?? '').split(' ')
  const sbom: Sbom = JSON.parse(execFileSync(process.execPath, script, { cwd: ROOT, encoding: 'utf8' }))
  const packages = lockedPackages()
  const shipped = Object.entries(packages).flatMap(([at, { dev, link, resolved, version }]) => {
    if (dev === true || !at.includes('node_modules/')) return []
    const own = link === true ? packages[resolved ?? '']?.version : version
    return [`${at.split('node_modules/').at(-1) ?? ''}@${own ?? ''}`]
  })
  const named = sbom.components.map((each) => each['bom-ref'])
  expect(named.toSorted()).toEqual(shipped.toSorted())
  for (const name of ['pg', 'nodemailer', 'yaml', 'zod', '@shipbell/events'])
    expect(named.some((each) => each.startsWith(`${name}@`))).toBe(true)
  const { dependencies }: { readonly dependencies: object } = JSON.parse(
    readFileSync(path.join(ROOT, 'package.json'), 'utf8'),
  )
  const [own] = sbom.dependencies
  for (const name of Object.keys(dependencies)) expect(own?.dependsOn.join(' ')).toContain(`${name}@`)
  // Everything is needed by something, and nothing that is needed is missing.
  const needed = new Set(sbom.dependencies.flatMap(({ dependsOn }) => dependsOn))
  expect([...needed].filter((ref) => !named.includes(ref))).toEqual([])
  expect(named.filter((ref) => !needed.has(ref)).filter((ref) => !ref.startsWith('@shipbell/'))).toEqual([])
})
