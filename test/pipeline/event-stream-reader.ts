/** Reads Server-Sent Events as they come: a client that never reconnects. */
export class EventStreamReader {
  /** `ID #SEQUENCE` of each event. */
  readonly shown = new Set<string>()
  readonly #closing = new AbortController()

  static async open(url: string): Promise<EventStreamReader> {
    const reader = new EventStreamReader()
    const response = await fetch(url, { signal: reader.#closing.signal })
    if (response.body === null) throw new Error(`${url} has no body`)
    void reader.#read(response.body)
    return reader
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const bytes of body) {
        const parts = `${text}${decoder.decode(bytes, { stream: true })}`.split('\n\n')
        text = parts.pop() ?? ''
        for (const part of parts) this.#take(part)
      }
    } catch {
      // It was closed.
    }
  }

  #take(part: string): void {
    const data = /^event: event$/m.test(part) ? /^data: (.*)$/m.exec(part)?.[1] : undefined
    if (data === undefined) return
    const { id, sequence }: { id: string; sequence: number } = JSON.parse(data)
    this.shown.add(`${id} #${sequence}`)
  }

  close(): void {
    this.#closing.abort()
  }
}
