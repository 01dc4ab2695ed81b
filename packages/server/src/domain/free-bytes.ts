/** Frees the memory of a large buffer without waiting for a collection. It is empty afterwards: to free it again does nothing. */
export function freeBytes(bytes: Buffer): void {
  const { buffer: memory } = bytes;
  // Small ones share theirs with others.
  const isWhole = memory instanceof ArrayBuffer && memory.byteLength === bytes.byteLength;
  if (isWhole && !memory.detached) memory.transfer(0);
}
