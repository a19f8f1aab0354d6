import { completeWords } from './cli/complete-words.ts'

/** `shipbell complete -- WORDS…`, which the script of `shipbell completion` asks: prints what the last word may be. Never fails. */
export function main(process: NodeJS.Process): void {
  const { argv, env } = process
  const words = argv.slice(argv[3] === '--' ? 4 : 3)
  completeWords(words, { env, cwd: process.cwd() })
}
