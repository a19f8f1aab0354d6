import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { scratchFolder } from '../config/scratch.ts'
import { run } from './run.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test('the steps of the Dockerfile make a program that runs, without what only its making takes', () => {
  const place = scratchFolder()
  const stages = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8')
    .split(/^FROM .*$/m)
    .slice(1)
  const [build = '', image = ''] = stages.map((each) => each.replaceAll('\\\n', ''))
  const folders = { build: path.join(place, 'build'), image: path.join(place, 'image') }
  for (const folder of Object.values(folders)) mkdirSync(folder)
  follow(build, { folder: folders.build, from: ROOT })
  follow(image.replaceAll('--from=build /build/', ''), { folder: folders.image, from: folders.build, but: /^ln / })
  const entry = path.join(folders.image, 'src/bin.js')
  expect(existsSync(path.join(folders.image, 'node_modules/vitest'))).toBe(false)
  expect(run(place, `node ${entry} --version`)).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(run(place, `node ${entry} init . && ls`)).toContain('shipbell.yaml')
})

interface Steps {
  readonly folder: string
  /** What COPY takes from. */
  readonly from: string
  /** What is not run. */
  readonly but?: RegExp
}

/** COPY and RUN of a stage, in a folder in place of its WORKDIR. */
function follow(stage: string, { folder, from, but }: Steps): void {
  for (const [, step, words = ''] of stage.matchAll(/^(COPY|RUN) (.*)$/gm)) {
    if (step === 'RUN' && but?.test(words) !== true) run(folder, words)
    if (step !== 'COPY') continue
    const [to = '', ...names] = words.split(' ').toReversed()
    for (const name of names) {
      const target = to.endsWith('/') ? path.join(folder, to, name) : path.join(folder, to)
      cpSync(path.join(from, name), target, { recursive: true, verbatimSymlinks: true })
    }
  }
}
