import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { Provider } from "oidc-provider";

export interface TestProvider {
  readonly issuer: string;
  /** Whoever signs in next is this person. */
  person: { readonly id: string; readonly email: string; readonly verified: boolean };
  /** How it writes access tokens for a resource. */
  tokens: "jwt" | "opaque";
  /** How often each of its addresses was asked for. */
  readonly asked: Map<string, number>;
  /** Starts to answer, for clients that come back to this address. */
  serve(redirectUri: string): void;
  /** A token with its own signature, whatever is in it. */
  sign(claims: JWTPayload, header?: { readonly typ?: string; readonly kid?: string }): Promise<string>;
  close(): void;
}

export const openIdClient = { id: "millrace", secret: "a-secret-of-this-client" };
/** Another client, which has no secret: a program on somebody's machine. */
export const publicClient = "a-program";

const SCOPE = "openid email";
const kid = "of-the-provider";

/** A real provider in this process. It asks nobody anything: the person it knows says yes. */
export async function startOpenIdProvider(): Promise<TestProvider> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" };
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    const [path] = request.url!.split("?");
    self.asked.set(path!, (self.asked.get(path!) ?? 0) + 1);
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
    tokens: "jwt",
    asked: new Map(),
    serve(redirectUri) {
      const told = () => ({ email: self.person.email, email_verified: self.person.verified });
      provider = new Provider(issuer, {
        clients: [
          { client_id: openIdClient.id, client_secret: openIdClient.secret, redirect_uris: [redirectUri] },
          { client_id: publicClient, token_endpoint_auth_method: "none", redirect_uris: [redirectUri] },
        ],
        jwks: { keys: [key] },
        claims: { openid: ["sub"], email: ["email", "email_verified"] },
        extraTokenClaims: told,
        features: {
          devInteractions: { enabled: false },
          introspection: { enabled: true, allowedPolicy: () => true },
          revocation: { enabled: true, allowedPolicy: () => true },
          resourceIndicators: {
            enabled: true,
            getResourceServerInfo: (_context, resource) => ({
              scope: SCOPE,
              audience: resource,
              accessTokenFormat: self.tokens,
            }),
          },
        },
        interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
        pkce: { required: () => true },
        cookies: { keys: ["only for tests"] },
        findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...told() }) }),
      });
    },
    sign: (claims, header) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid, ...header }).sign(privateKey),
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
  grant.addOIDCScope(SCOPE);
  if (typeof params["resource"] === "string") grant.addResourceScope(params["resource"], SCOPE);
  const grantId = await grant.save();
  await provider.interactionFinished(
    request,
    response,
    { consent: { grantId } },
    { mergeWithLastSubmission: true },
  );
}
