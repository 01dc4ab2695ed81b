import { setImmediate as nextLoop } from "node:timers/promises";
import { expect, test } from "vitest";
import { createAddressGuard } from "../../src/upstream/address-guard.ts";

/** Names under `silent.test` are never answered. */
function openGuard() {
  const asked: string[] = [];
  const silent: PromiseWithResolvers<string[]>[] = [];
  const guard = createAddressGuard({
    allow: ["127.0.0.0/8"],
    resolve: (name) => {
      asked.push(name);
      if (!name.endsWith("silent.test")) return Promise.resolve(["127.0.0.1"]);
      silent.push(Promise.withResolvers<string[]>());
      return silent.at(-1)!.promise;
    },
  });
  return { guard, asked, silent };
}

test("names that are never answered hold up nobody else's, and the others of their organization wait", async () => {
  const { guard, asked, silent } = openGuard();
  const hanging = Array.from({ length: 50 }, (_, at) => guard.resolve(`n${at}.silent.test`, "org_a"));
  const ends = Promise.allSettled(hanging);
  await nextLoop();
  const held = asked.length;
  expect(held).toBeGreaterThan(0);
  expect(held).toBeLessThan(8);
  for (const organizationId of ["org_b", "org_c"])
    expect(await guard.resolve("api.test", organizationId)).toMatchObject({ addresses: ["127.0.0.1"] });
  expect(asked.filter((name) => name.endsWith("silent.test"))).toHaveLength(held);
  // Each that ends makes room for the next, until all have been asked.
  for (let at = 0; at < 50; at += 1) {
    silent[at]!.reject(new Error("no answer"));
    await nextLoop();
  }
  const failures = (await ends).map((end) => end.status === "rejected" && (end.reason as Error).name);
  expect(new Set(failures)).toEqual(new Set(["NameNotFound"]));
});
