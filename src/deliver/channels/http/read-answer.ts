const KEPT_BYTES = 16 * 1024

/**
 * The beginning of an answer's body as text, at most 16 KiB; null where nothing came. Stops reading there, which drops the
 * connection. A body that breaks off is kept as far as it came: the status has already decided (contract section 6).
 */
export async function readAnswer(body: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= KEPT_BYTES) break
    }
  } catch {
    return asText(chunks)
  }
  return asText(chunks)
}

function asText(chunks: readonly Buffer[]): string | null {
  const kept = Buffer.concat(chunks).subarray(0, KEPT_BYTES)
  return kept.length === 0 ? null : new TextDecoder().decode(kept, { stream: true })
}
