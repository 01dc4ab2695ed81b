// A Fastify JSON route with the answer of /api/auth/validate and nothing behind it.
import Fastify from "fastify";

const server = Fastify();
server.get("/api/auth/validate", () => ({
  success: true,
  data: {
    authenticated: true,
    user: { id: "user_ada", email: "ada@example.com", name: "Ada" },
    session: { id: "api-key-key_1", expiresAt: "2027-01-01T00:00:00.000Z", activeOrganizationId: null },
  },
}));
await server.listen({ host: "127.0.0.1", port: Number(process.argv[2]) });
console.log("ready");
