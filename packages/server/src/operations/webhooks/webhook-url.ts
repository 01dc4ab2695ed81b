interface Addresses {
  readonly webUrl: string | undefined;
  readonly publicUrl: string | undefined;
  readonly host: string;
  readonly port: number;
}

/** Where senders post to: the configured address, or else where the service listens. */
export function webhookUrl(
  { webUrl, publicUrl, host, port }: Addresses,
  flowId: string,
  token: string,
): string {
  return `${webUrl ?? publicUrl ?? listeningUrl(host, port)}/app/webhooks/millrace/${flowId}/${token}`;
}

function listeningUrl(host: string, port: number): string {
  const everywhere = host === "0.0.0.0" || host === "::";
  const name = everywhere ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
