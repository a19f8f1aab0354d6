import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './pages.ts'
import { generatedPages } from './reference/generated-pages.ts'

/** `npm run docs`: writes the pages of docs/reference that come from the code. A test compares them. */
for (const [name, text] of await generatedPages()) {
  const file = path.join(ROOT, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  process.stdout.write(`${name}\n`)
}
