import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/config/load-config.ts'
import { isJsonObject, textField, type Json, type JsonObject } from '../../src/model/json.ts'
import { scratchFolder, SECRET, shown } from '../config/scratch.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const has = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0

function read(name: string): JsonObject {
  return objectOf(parse(readFileSync(path.join(ROOT, name), 'utf8')))
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/** As it is read in the cluster, with what is wrong with it. */
function loadedFrom(name: string, more: Readonly<Record<string, string>> = {}) {
  const common = { acme_api_key: 'key', erp_secret: SECRET, token: 'a-token-of-some-length' }
  const secrets = scratchFolder({ ...common, ...more })
  const text = readFileSync(path.join(ROOT, name), 'utf8').replaceAll('/run/secrets/shipbell', secrets)
  const cwd = scratchFolder({ 'shipbell.yaml': text.replace('/data/', './data/') })
  mkdirSync(path.join(cwd, 'data'))
  const { config, problems } = loadConfig('shipbell.yaml', { env: {}, cwd })
  return { config, problems: problems.filter(({ severity }) => severity === 'error').map(shown) }
}

describe('compose.yaml', () => {
  const compose = read('compose.yaml')
  const services = Object.entries(objectOf(compose['services'])).map(([name, each]) => [name, objectOf(each)] as const)
  const mounts = services.flatMap(([, each]) => textsOf(each['volumes'])).map((each) => each.split(':'))

  it('runs the daemon, a receiver, Prometheus and Grafana; two more workers and PostgreSQL where they are asked for', () => {
    const [asked, always] = [true, false].map((isAsked) =>
      services.filter(([, { profiles }]) => (profiles !== undefined) === isAsked).map(([name]) => name),
    )
    expect(always).toEqual(['shipbell', 'receiver', 'prometheus', 'grafana'])
    expect(asked).toEqual(['worker', 'postgres'])
  })

  it('asks for no variable of what is not asked for', () => {
    const { postgres = {} } = Object.fromEntries(services)
    expect(JSON.stringify(postgres)).not.toContain(':?')
  })

  it('runs workers that differ in nothing but their store on a volume and their port', () => {
    const { shipbell = {}, worker = {} } = Object.fromEntries(services)
    const shared = ['command', 'env_file', 'restart', 'read_only', 'cap_drop', 'security_opt']
    const [first, others] = [shipbell, worker].map((each) => shared.map((key) => each[key]))
    expect(others).toEqual(first)
    expect(worker).toMatchObject({ deploy: { replicas: 2 }, depends_on: ['shipbell', 'postgres'] })
    expect(worker['ports']).toBeUndefined()
  })

  it('mounts files that there are, and volumes that it declares', () => {
    const [files, volumes] = [
      mounts.filter(([from]) => from?.startsWith('./config')),
      Object.keys(objectOf(compose['volumes'])),
    ]
    expect(files).toHaveLength(4)
    expect(files.filter(([from = '']) => !existsSync(path.join(ROOT, from)))).toEqual([])
    const named = mounts.map(([from = '']) => from).filter((from) => !from.startsWith('.'))
    expect(named.toSorted()).toEqual(volumes.toSorted())
  })

  it('gives Prometheus what its configuration names', () => {
    const { prometheus = {} } = Object.fromEntries(services)
    const targets = [
      ...textsOf(prometheus['volumes']).map((each) => each.split(':')[1]),
      ...(Array.isArray(prometheus['secrets']) ? prometheus['secrets'] : []).map((each) => objectOf(each)['target']),
    ]
    const names = ['prometheus.yaml', ...textsOf(read('config/prometheus/prometheus.yaml')['rule_files'])]
    expect(targets).toEqual(expect.arrayContaining(names.map((name) => `/etc/prometheus/${name}`)))
    expect(JSON.stringify(read('config/prometheus/prometheus.yaml'))).toContain('/etc/prometheus/shipbell-viewer-token')
    expect(targets).toContain('/etc/prometheus/shipbell-viewer-token')
  })

  it('has Grafana load the dashboard that it mounts', () => {
    const [provider] = [read('config/grafana/provisioning/dashboards/shipbell.yaml')['providers']].flat()
    const folder = textField(objectOf(objectOf(provider)['options']), 'path')
    expect(mounts.map(([, to]) => to)).toContain(`${folder}/shipbell.json`)
    expect(JSON.stringify(read('config/grafana/provisioning/datasources/prometheus.yaml'))).toContain('"prometheus"')
  })

  it('lets what is ours write nothing but its store', () => {
    const ours = services.filter(([, { image }]) => image === 'shipbell').map(([, each]) => each)
    expect(ours).toHaveLength(3)
    for (const each of ours) expect(each).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  })
})

describe('the unit of systemd', () => {
  const UNIT = path.join(ROOT, 'config/systemd/shipbell.service')

  it.skipIf(!has('systemd-analyze', '--version'))('exposes little', () => {
    const report = execFileSync('systemd-analyze', ['security', '--offline=true', '--no-pager', UNIT], {
      encoding: 'utf8',
    })
    const [, level] = /exposure level for shipbell\.service: ([\d.]+)/.exec(report) ?? []
    expect(Number(level)).toBeLessThanOrEqual(2)
  })

  it('starts the Node of the system, which the tools of developers do not bring', () => {
    expect(readFileSync(UNIT, 'utf8')).toMatch(/^ExecStart=\/usr\/bin\/env node \/opt\/shipbell\/src\/bin\.js run -c /m)
  })

  it('loads each credential from where it says', () => {
    const loaded = [
      ...readFileSync(UNIT, 'utf8').matchAll(/^LoadCredential=(\w+):\/etc\/shipbell\/credentials\/(\w+)$/gm),
    ]
    expect(loaded.map(([, name, file]) => [name, file])).toEqual([
      ['acme_api_key', 'acme_api_key'],
      ['erp_secret', 'erp_secret'],
      ['token', 'token'],
    ])
  })
})

describe('config/kubernetes', () => {
  const FOLDER = path.join(ROOT, 'config/kubernetes')

  it('names its files', () => {
    const { resources, configMapGenerator } = read('config/kubernetes/kustomization.yaml')
    const named = [...textsOf(resources), ...textsOf(objectOf([configMapGenerator].flat()[0])['files'])]
    expect([...named, 'kustomization.yaml'].toSorted()).toEqual(readdirSync(FOLDER).toSorted())
  })

  it('runs one replica without rights, probed, with a claim for its store', () => {
    const { spec } = read('config/kubernetes/statefulset.yaml')
    expect(spec).toMatchObject({
      replicas: 1,
      volumeClaimTemplates: [{ metadata: { name: 'store' } }],
      template: {
        spec: {
          securityContext: { runAsNonRoot: true, runAsUser: 1000 },
          containers: [
            {
              securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
              startupProbe: { httpGet: { path: '/healthz' } },
              livenessProbe: { httpGet: { path: '/healthz' } },
              readinessProbe: { httpGet: { path: '/readyz' } },
            },
          ],
        },
      },
    })
  })

  it('has a configuration that is valid once its secrets are there', () => {
    expect(loadedFrom('config/kubernetes/shipbell.yaml').problems).toEqual([])
  })

  it.skipIf(!has('kubectl', 'version', '--client'))('is built by kustomize, with one set of names', () => {
    const built = execFileSync('kubectl', ['kustomize', FOLDER], { encoding: 'utf8' })
    expect(kindsOf(built)).toEqual(['ConfigMap', 'Service', 'StatefulSet'])
    const [, map = ''] = /^ {2}name: (shipbell-\w+)$/m.exec(built) ?? []
    expect(built.split(map)).toHaveLength(3)
  })
})

describe('config/kubernetes-workers', () => {
  const FOLDER = path.join(ROOT, 'config/kubernetes-workers')

  it('names its files, upon those of one process', () => {
    const { resources, configMapGenerator, patches } = read('config/kubernetes-workers/kustomization.yaml')
    const named = [
      ...textsOf(resources),
      ...textsOf(objectOf([configMapGenerator].flat()[0])['files']),
      textField(objectOf([patches].flat()[0]), 'path') ?? '',
    ]
    expect(named).toContain('../kubernetes')
    const files = named.filter((name) => name !== '../kubernetes')
    expect([...files, 'kustomization.yaml'].toSorted()).toEqual(readdirSync(FOLDER).toSorted())
  })

  it('has a configuration that is valid once its secrets are there', () => {
    const password = { database_password: 'a0b1c2' }
    const { config, problems } = loadedFrom('config/kubernetes-workers/shipbell.yaml', password)
    expect(problems).toEqual([])
    expect(config?.storage).toMatchObject({ url: 'postgres://shipbell:a0b1c2@shipbell-postgres/shipbell' })
  })

  it.skipIf(!has('kubectl', 'version', '--client'))('is built by kustomize: three workers without a disk', () => {
    const built = execFileSync('kubectl', ['kustomize', FOLDER], { encoding: 'utf8' })
    const kinds = ['ConfigMap', 'Deployment', 'PodDisruptionBudget', 'Service', 'StatefulSet']
    expect(new Set(kindsOf(built))).toEqual(new Set(kinds))
    const all = parseAllDocuments(built).map((each) => objectOf(each.toJS()))
    const workers = all.find(({ kind }) => kind === 'Deployment')
    expect(workers).toMatchObject({ metadata: { name: 'shipbell' }, spec: { replicas: 3 } })
    expect(JSON.stringify(workers)).not.toMatch(/volumeClaimTemplates|serviceName/)
    const maps = all
      .filter(({ kind }) => kind === 'ConfigMap')
      .map(({ metadata }) => textField(objectOf(metadata), 'name'))
    expect(JSON.stringify(workers)).toContain(`"configMap":{"name":"${maps[0]}"}`)
  })
})

function kindsOf(built: string): readonly (string | undefined)[] {
  return [...built.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind)
}
