import type { Profiler } from 'node:inspector/promises'

/** What a stage of a change costs, by the first of these that a stack holds, from its leaf upwards. */
const STAGES: readonly (readonly [stage: string, place: RegExp])[] = [
  ['collect garbage', /^\(garbage collector\)/],
  ['cut and hash rows', /platform\/(page-row|split-rows|validator-of)|model\/content-hash/],
  ['parse rows', /platform\/parse-exact-json/],
  ['validate', /node_modules\/zod|platform\/(check-record|read-page|record-id|soundness)|platform\/wire/],
  ['other of the platform', /src\/platform\//],
  ['unpack documents', /decodeBody|unpack .*documents\/stored-body|get (json|value) .*documents\/stored-body/],
  ['pack documents', /encodeBody|encodeDelta/],
  ['serialise and find documents', /documents\/(documents\.sqlite|stored-body)|ledger\/documents/],
  ['churn', /churn/],
  ['drift', /drift/],
  ['detect', /src\/detect\//],
  ['plan', /src\/plan\/|poll\/schedule|phasesOn/],
  ['route', /src\/route|poll\/route-batch|loadRoutingState|NotifiedDate/],
  ['page rows', /lists\/(read-rows|list-rows)|ledger\/(reads|read-rows)/],
  ['begin, commit and checkpoint', /(transact|#checkpoint|assertInPlace) .*file\/connection|store-place/],
  ['events', /(event-rows|event-totals|date-rows)|ledger\/(events|dates|slips)/],
  ['deliveries', /deliveries\/delivery-rows/],
  ['records', /(commit-batch|record-rows|fill-records)|ledger\/records|model\/(search-terms|record-outline)/],
  ['claim', /deliveries\/(delivery-store|claim|open-claims|ready-rows|waiting-rows)|deliver\/picker/],
  [
    'settle',
    /deliveries\/settle|ledger\/(settle|endpoint-state)|deliver\/(result-buffer|attempt-result|row-settling|endpoint-watch)/,
  ],
  ['other of the store', /src\/store\/(?!file\/(connection|query)|documents\/(body-codec|zlib-engine))/],
  ['render', /deliver\/rendered-bodies|model\/(payload|event-data)/],
  ['sign', /webhook\/signer/],
  ['send', /node_modules\/undici|src\/http\/|deliver\/channels/],
  ['other of delivering', /src\/deliver\//],
  ['poll', /src\/poll\//],
  ['serve, log and trace', /src\/(serve|app|log)|node_modules\/(pino|sonic)/],
]

const REST = 'promises, sockets and the rest'
const IDLE = new Set(['(idle)'])

/** Milliseconds that the thread was not idle, by stage; those of each sum up to all of it. */
export function stagesOf(profile: Profiler.Profile): ReadonlyMap<string, number> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(
    profile.nodes.flatMap(({ children = [], id }) => children.map((child) => [child, id] as const)),
  )
  const stages = new Map<number, string | null>()
  const stageOf = (id: number): string | null => {
    const known = stages.get(id)
    if (known !== undefined) return known
    const stage = stageOfStack(stackOf(id, nodes, parents))
    stages.set(id, stage)
    return stage
  }
  const spent = new Map<string, number>()
  const { samples = [], timeDeltas = [] } = profile
  for (const [at, id] of samples.entries()) {
    const stage = stageOf(id)
    // A sample stands for the time until the next one.
    if (stage !== null) spent.set(stage, (spent.get(stage) ?? 0) + (timeDeltas[at + 1] ?? 0) / 1_000)
  }
  return spent
}

type Nodes = ReadonlyMap<number, Profiler.ProfileNode>

function stackOf(id: number, nodes: Nodes, parents: ReadonlyMap<number, number>): readonly string[] {
  const frames: string[] = []
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const frame = nodes.get(at)?.callFrame
    if (frame !== undefined) frames.push(`${frame.functionName} ${frame.url}`)
  }
  return frames
}

/** null: it rested. */
function stageOfStack(stack: readonly string[]): string | null {
  if (IDLE.has(stack[0]?.trim() ?? '')) return null
  for (const frame of stack) {
    const named = STAGES.find(([, place]) => place.test(frame))
    if (named !== undefined) return named[0]
  }
  return REST
}
