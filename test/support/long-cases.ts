import { beforeEach } from 'vitest'
import { LONG_TAG } from './long-options.ts'

// `npm test` has the other cases of these files.
beforeEach(({ skip, task }) => {
  if (task.tags?.includes(LONG_TAG.name) !== true) skip()
})
