/** Records nested deeper are not believed; every recursion of this room is bounded by it. */
export const DEEPEST = 100
