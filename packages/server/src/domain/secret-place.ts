/** Where a sealed secret belongs; it opens nowhere else. */
export function secretPlace(
  organizationId: string,
  kind: "credential" | "webhook" | "event-endpoint",
  id: string,
): string {
  return `${organizationId}|${kind}|${id}`;
}
