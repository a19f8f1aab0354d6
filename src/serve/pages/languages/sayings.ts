import { CHANGES_SAYINGS } from './changes-sayings.ts'
import { FRAME_SAYINGS } from './frame-sayings.ts'
import { TODAY_SAYINGS } from './today-sayings.ts'
import type { Sayings } from './sayings-of.ts'

export const SAYINGS: Sayings = { ...CHANGES_SAYINGS, ...FRAME_SAYINGS, ...TODAY_SAYINGS }
