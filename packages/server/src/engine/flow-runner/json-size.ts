/** About the length of the value as JSON; counting stops soon after `limit`. Not recursive: data may nest deeply. */
export function jsonSize(value: unknown, limit: number): number {
  let size = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0 && size <= limit) {
    const part = pending.pop();
    if (typeof part === "string") size += part.length + 2;
    else if (Array.isArray(part)) {
      size += part.length + 2;
      if (size <= limit) for (const item of part) pending.push(item);
    } else if (typeof part === "object" && part !== null) {
      size += 2;
      for (const key in part) {
        size += key.length + 4;
        pending.push((part as Record<string, unknown>)[key]);
      }
    } else size += 5;
  }
  return size;
}
