import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { freePort } from '../../support/free-port.ts'
import { cpuMsAtRest } from '../process-cpu.ts'
import { type Arena, type Missing, SHIPMENTS, type Side } from './side.ts'

const LOOK_MS = 100
const VARIABLE = 'SHIPBELL_BENCH_NODE_RED'

/** The usual flow for the work: pages are split, `rbe` passes on what differs from the last time, each is posted. Nothing is kept. */
export async function nodeRedSide(arena: Arena): Promise<Side | Missing> {
  const home = process.env[VARIABLE] ?? path.join(tmpdir(), 'node-red')
  const entry = path.join(home, 'node_modules', 'node-red', 'red.js')
  if (!existsSync(entry)) {
    return { missing: `Node-RED: left out. \`npm install --prefix FOLDER node-red@4\`, then set ${VARIABLE}=FOLDER` }
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'shipbell-node-red-'))
  const port = await freePort()
  writeFileSync(path.join(folder, 'flows.json'), JSON.stringify(flowOf(arena.url)))
  writeFileSync(path.join(folder, 'settings.js'), settingsOf(port))
  const child = spawn(process.execPath, [entry, '-u', folder, '-s', path.join(folder, 'settings.js')], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: folder },
  })
  const go = async () => await started(`http://127.0.0.1:${port}/go`)
  await go()
  await arena.sees(({ asked }) => asked >= SHIPMENTS / 100)
  const pid = child.pid ?? 0
  return {
    name: 'Node-RED (nothing durable)',
    rounds: 5,
    isNewEachRound: false,
    round: async () => {
      await arena.change()
      const before = await cpuMsAtRest(pid, LOOK_MS / 10)
      await go()
      const { firstAt, lastAt } = await arena.sees(({ told }) => told === SHIPMENTS)
      return { cpuMs: (await cpuMsAtRest(pid, LOOK_MS / 10)) - before, wallMs: lastAt - firstAt }
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Its flows answer some time after it has begun. */
async function started(url: string): Promise<void> {
  for (;;) {
    const status = await request(url)
      .then(async ({ body, statusCode }) => {
        await body.dump()
        return statusCode
      })
      .catch(() => null)
    if (status === 200) return
    await delay(LOOK_MS)
  }
}

function settingsOf(port: number): string {
  return `module.exports = {
  uiHost: '127.0.0.1', uiPort: ${port}, httpAdminRoot: false, flowFile: 'flows.json',
  logging: { console: { level: 'off' } }, telemetry: { enabled: false },
}
`
}

const PAGES_OF = `
  for (let skip = 0; skip < ${SHIPMENTS}; skip += 100) node.send({ url: 'URL/v1/shipments?skip=' + skip + '&take=100' })`

function flowOf(url: string) {
  // Without a place, Node-RED takes a node for a configuration.
  const on = { z: 'flow', x: 1, y: 1 }
  return [
    { id: 'flow', type: 'tab', label: 'shipments' },
    { ...on, id: 'n-go', type: 'http in', url: '/go', method: 'get', wires: [['n-answer', 'n-pages']] },
    { ...on, id: 'n-answer', type: 'http response', statusCode: '200', wires: [] },
    { ...on, id: 'n-pages', type: 'function', func: PAGES_OF.replace('URL', url), outputs: 1, wires: [['n-get']] },
    { ...on, id: 'n-get', type: 'http request', method: 'GET', ret: 'obj', persist: true, wires: [['n-split']] },
    { ...on, id: 'n-split', type: 'split', arraySplt: 1, arraySpltType: 'len', wires: [['n-key']] },
    {
      ...on,
      id: 'n-key',
      type: 'change',
      rules: [
        { t: 'set', p: 'topic', pt: 'msg', to: 'payload.platform_shipment_id', tot: 'msg' },
        { t: 'set', p: 'url', pt: 'msg', to: `${url}/hook`, tot: 'str' },
        { t: 'delete', p: 'headers', pt: 'msg' },
      ],
      wires: [['n-changed']],
    },
    {
      ...on,
      id: 'n-changed',
      type: 'rbe',
      func: 'rbei',
      property: 'payload',
      topi: 'topic',
      septopics: true,
      wires: [['n-post']],
    },
    { ...on, id: 'n-post', type: 'http request', method: 'POST', ret: 'txt', persist: true, wires: [[]] },
  ]
}
