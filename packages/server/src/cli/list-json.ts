/** Every list is printed in the shape in which the API answers with one. */
export function listJson(data: readonly unknown[], pagination: object = {}): string {
  return JSON.stringify({ data, pagination });
}
