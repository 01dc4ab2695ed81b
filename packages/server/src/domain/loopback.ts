const LOOPBACK_ADDRESS = /^127(?:\.\d{1,3}){3}$/;

/** Whether a name or address never leaves the machine. */
export function isLoopback(hostname: string): boolean {
  const name = hostname
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[(.*)\]$/, "$1");
  return LOOPBACK_ADDRESS.test(name) || name === "::1" || name === "localhost" || name.endsWith(".localhost");
}
