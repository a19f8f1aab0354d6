/**
 * Frees the memory of an answer's bytes at once: nobody looks at them any more. The collector, which counts them as next to
 * nothing, would come so late that each answer is read into memory that no cache holds. A chunk that is longer than Node's
 * pool of small buffers has memory of its own; shorter ones may share it with anybody and are left to the collector.
 */
export function freeBytes(chunks: readonly Buffer[]): void {
  for (const { buffer, length } of chunks) {
    // Several chunks may lie in what was read from the socket at once.
    if (length > Buffer.poolSize && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
  }
}
