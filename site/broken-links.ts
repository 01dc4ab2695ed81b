import { posix } from "node:path";

/** Of the service that serves the site; elsewhere they are not there. */
const OF_THE_SERVICE = new Set(["/docs", "/openapi.json", "/console"]);

/** Every link and file that the pages name and that does not exist, headings included. */
export function findBrokenLinks(files: ReadonlyMap<string, string | Buffer>): string[] {
  const ids = new Map<string, Set<string>>();
  for (const [path, content] of files)
    if (path.endsWith(".html"))
      ids.set(path, new Set([...String(content).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)));
  return [...ids.keys()].flatMap((path) =>
    addressesOf(String(files.get(path)))
      .filter((address) => !exists(path, address, files, ids))
      .map((address) => `${path}: ${address}`),
  );
}

export function addressesOf(html: string): string[] {
  return [...html.matchAll(/ (?:href|src|data-index)="([^"]*)"/g)].map(([, address]) =>
    address!.replaceAll("&amp;", "&").replaceAll("&quot;", '"'),
  );
}

function exists(
  from: string,
  address: string,
  files: ReadonlyMap<string, unknown>,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  if (/^(?:https?|mailto|data):/.test(address) || OF_THE_SERVICE.has(address)) return true;
  const [name = "", anchor] = address.split("#");
  const path = name === "" ? from : posix.normalize(posix.join(posix.dirname(from), name));
  return (
    files.has(path) && (anchor === undefined || (ids.get(path)?.has(decodeURIComponent(anchor)) ?? false))
  );
}
