/** The id of the node that a key is about: `fetch` of `fetch[3]` and of `inner[2].fetch[3]`. */
export function nodeIdOf(nodeKey: string): string {
  return nodeKey.slice(nodeKey.lastIndexOf(".") + 1).replace(/\[\d+\]$/, "");
}
