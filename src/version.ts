import { readFileSync } from 'node:fs'

let known: string | null = null

/** The version in package.json, which stands one folder up from the source as from the build. It is read once. */
export function readVersion(): string {
  known ??= versionOfManifest()
  return known
}

function versionOfManifest(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return hasVersion ? String(manifest.version) : '0.0.0'
}
