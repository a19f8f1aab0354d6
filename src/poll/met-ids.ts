/** The ids that a pass has met. Those of pages whose answers were known are looked up only once somebody asks. */
export class MetIds {
  readonly #idsOn: (skips: readonly number[]) => Promise<readonly string[]>
  readonly #ids = new Set<string>()
  #pages: number[] = []

  /** `idsOn`: the ids of the records on pages, by `skip`. */
  constructor(idsOn: (skips: readonly number[]) => Promise<readonly string[]>) {
    this.#idsOn = idsOn
  }

  add(ids: Iterable<string>): void {
    for (const id of ids) this.#ids.add(id)
  }

  addPage(skip: number): void {
    this.#pages.push(skip)
  }

  async all(): Promise<ReadonlySet<string>> {
    const pages = this.#pages
    this.#pages = []
    if (pages.length > 0) this.add(await this.#idsOn(pages))
    return this.#ids
  }
}
