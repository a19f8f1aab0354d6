import { AsyncLocalStorage } from 'node:async_hooks'
import type { Language } from '../../../model/reader.ts'
import { readTimeZone } from '../../../model/time-zone.ts'
import { acceptedLanguage, readLanguage } from './accepted-language.ts'
import type { Address } from './address.ts'

/** What depends on who looks, and on nothing that is shown. */
export interface Viewer {
  /** The one zone of every date that is shown. */
  readonly timeZone: string
  /** The zone where nobody chooses: that of the accounts that are seen, where they agree, else UTC. */
  readonly usualZone: string
  /** Whether `timeZone` was chosen. */
  readonly hasChosen: boolean
  /** What was asked for and is no zone; null: nothing is wrong. */
  readonly wrongZone: string | null
  /** The language of every sentence that is shown. */
  readonly language: Language
  /** The language that was chosen; null: that of the browser is shown. */
  readonly chosenLanguage: Language | null
  /** What was asked for and is no language that pages are written in; null: nothing is wrong. */
  readonly wrongLanguage: string | null
  /** The view that is asked for; null: what is shown is no view that can be asked for again. */
  readonly address: Address | null
}

/** A choice that whoever looks may make: what the request names, empty where it gives the choice up, and what was chosen before. */
interface Choice {
  /** What the request names; null: it names none. */
  readonly asked: string | null
  /** What was chosen before; null: nothing was. */
  readonly kept: string | null
}

export interface ViewerParts {
  readonly zone: Choice
  /** With the header that says which languages the browser accepts. */
  readonly language: Choice & { readonly accepted: string }
  readonly address: Address | null
  /** Asked once, when the first date is shown. */
  readonly usualZone: () => string
}

/** The viewer of a request, whose zone is found out with the first date: most answers to programs show none. */
export class RequestViewer implements Viewer {
  readonly address: Address | null
  readonly language: Language
  readonly chosenLanguage: Language | null
  readonly wrongLanguage: string | null
  readonly wrongZone: string | null
  /** The zone that the request chooses; null: none. */
  readonly chosen: string | null
  readonly #findUsual: () => string
  #usual: string | null = null

  constructor({ address, language, usualZone, zone }: ViewerParts) {
    const [chosenZone, chosenLanguage] = [readChoice(zone, readTimeZone), readChoice(language, readLanguage)]
    this.address = address
    this.wrongZone = chosenZone.wrong
    this.chosen = chosenZone.chosen
    this.wrongLanguage = chosenLanguage.wrong
    this.chosenLanguage = chosenLanguage.chosen
    this.language = chosenLanguage.chosen ?? acceptedLanguage(language.accepted)
    this.#findUsual = usualZone
  }

  get hasChosen(): boolean {
    return this.chosen !== null
  }

  get timeZone(): string {
    return this.chosen ?? this.usualZone
  }

  get usualZone(): string {
    this.#usual ??= this.#findUsual()
    return this.#usual
  }
}

/** What is chosen, and what was asked for and cannot be. */
function readChoice<Value>({ asked, kept }: Choice, read: (value: string) => Value | null) {
  const named = asked === null ? null : asked.trim()
  const chosen = named === null || named === '' ? null : read(named)
  return {
    wrong: named !== null && named !== '' && chosen === null ? named : null,
    chosen: chosen ?? (named === '' || kept === null ? null : read(kept)),
  }
}

/** Whoever looks where no request was made, as in a test of one part. */
const NOBODY: Viewer = {
  timeZone: 'UTC',
  usualZone: 'UTC',
  hasChosen: false,
  wrongZone: null,
  language: 'en',
  chosenLanguage: null,
  wrongLanguage: null,
  address: null,
}

const CURRENT = new AsyncLocalStorage<Viewer>()

/** Who looks at what is being made. Read by parts that show dates and sentences alone: pages ask those. */
export function viewer(): Viewer {
  return CURRENT.getStore() ?? NOBODY
}

/** Does something for a viewer, and all that it waits for. */
export function viewedBy<Result>(who: Viewer, make: () => Result): Result {
  return CURRENT.run(who, make)
}
