/** Frees the memory of a large buffer without waiting for a collection. It is empty afterwards. */
export function freeBytes(bytes: Buffer): void {
  const { buffer: memory } = bytes;
  // Small ones share theirs with others.
  if (memory instanceof ArrayBuffer && memory.byteLength === bytes.byteLength) memory.transfer(0);
}
