import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

export interface TestProvider {
  readonly issuer: string;
  /** Whoever signs in next is this person. */
  person: { readonly id: string; readonly email: string; readonly verified: boolean };
  /** Starts to answer, for a client that comes back to this address. */
  serve(redirectUri: string): void;
  close(): void;
}

export const openIdClient = { id: "millrace", secret: "a-secret-of-this-client" };

/** A real provider in this process. It asks nobody anything: the person it knows says yes. */
export async function startOpenIdProvider(): Promise<TestProvider> {
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    if (!provider) response.writeHead(503).end();
    else if (request.url!.startsWith("/interaction/"))
      void answerInteraction(provider, request, response, self.person.id);
    else void provider.callback()(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const self: TestProvider = {
    issuer,
    person: { id: "nobody", email: "nobody@example.com", verified: true },
    serve(redirectUri) {
      provider = new Provider(issuer, {
        clients: [
          { client_id: openIdClient.id, client_secret: openIdClient.secret, redirect_uris: [redirectUri] },
        ],
        claims: { openid: ["sub"], email: ["email", "email_verified"] },
        features: { devInteractions: { enabled: false } },
        interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
        pkce: { required: () => true },
        cookies: { keys: ["only for tests"] },
        findAccount: (_context, id) => {
          const { email, verified } = self.person;
          return { accountId: id, claims: () => ({ sub: id, email, email_verified: verified }) };
        },
      });
    },
    close: () => void server.close(),
  };
  return self;
}

type Handler = Parameters<ReturnType<Provider["callback"]>>;

async function answerInteraction(
  provider: Provider,
  request: Handler[0],
  response: Handler[1],
  accountId: string,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    await provider.interactionFinished(request, response, { login: { accountId } });
    return;
  }
  const grant = new provider.Grant({
    accountId: session!.accountId!,
    clientId: params["client_id"] as string,
  });
  grant.addOIDCScope("openid email");
  const grantId = await grant.save();
  await provider.interactionFinished(
    request,
    response,
    { consent: { grantId } },
    { mergeWithLastSubmission: true },
  );
}
