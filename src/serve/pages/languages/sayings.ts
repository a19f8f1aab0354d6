import { FRAME_SAYINGS } from './frame-sayings.ts'
import type { Sayings } from './sayings-of.ts'

export const SAYINGS: Sayings = { ...FRAME_SAYINGS }
