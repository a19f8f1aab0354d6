/** What an action came to. */
export interface Notice {
  readonly tone: 'good' | 'critical'
  /** One sentence; may hold what others said. */
  readonly text: string
}
