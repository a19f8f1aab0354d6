/** How a measured value moves over a run. */
export interface Trend {
  readonly mean: number
  /** By the fitted line, over all of the measured time. */
  readonly growth: number
  /** What chance alone may make of that growth, at two standard errors. */
  readonly noise: number
  /** The growth is within the noise, or too small to matter. */
  readonly flat: boolean
}

/** `least`: of a block of samples its smallest counts, not its mean: for what goes up and down between collections of garbage. */
export interface TrendOptions {
  readonly by: 'mean' | 'least'
  /** A growth below this share of the mean is none. */
  readonly tolerance: number
  /** Of what keeps the largest size it ever had: below this it may still come to that. */
  readonly bound?: number
}

/** Neighbouring samples know of each other: those of a block are one, so that they do not pass for more than they are. */
const BLOCKS = 20

/** The straight line through the samples, which were taken at an even pace. */
export function trendOf(samples: readonly number[], { by, tolerance, bound = 0 }: TrendOptions): Trend {
  const blocks = blocksOf(samples).map((block) => (by === 'mean' ? meanOf(block) : Math.min(...block)))
  const count = blocks.length
  const [mean, middle] = [meanOf(blocks), (count - 1) / 2]
  const spread = blocks.reduce((sum, _, x) => sum + (x - middle) ** 2, 0)
  const slope = blocks.reduce((sum, y, x) => sum + (x - middle) * (y - mean), 0) / spread
  const residual = blocks.reduce((sum, y, x) => sum + (y - mean - slope * (x - middle)) ** 2, 0)
  const growth = slope * count
  const noise = 2 * Math.sqrt(residual / (count - 2) / spread) * count
  const flat = growth <= Math.max(noise, tolerance * Math.abs(mean)) || Math.max(...samples) <= bound
  return { mean, growth, noise, flat }
}

function blocksOf(samples: readonly number[]): readonly (readonly number[])[] {
  if (samples.length < BLOCKS) throw new Error(`${samples.length} samples are too few: ${BLOCKS} are needed`)
  const edge = (block: number): number => Math.floor((block * samples.length) / BLOCKS)
  return Array.from({ length: BLOCKS }, (_, block) => samples.slice(edge(block), edge(block + 1)))
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
