import { chmod, chown, lstat, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { embeddedPaths } from "../../src/storage/embedded/paths.ts";
import { openSocketDirectory } from "../../src/storage/embedded/socket-directory.ts";

const isRoot = process.getuid?.() === 0;

let top: string;
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), "millrace-sockets-"));
});
afterEach(() => rm(top, { recursive: true, force: true }));

/** A data directory of our own whose sockets lie elsewhere, as they do under a long path. */
async function paths() {
  const directory = join(top, "data");
  await mkdir(directory, { recursive: true });
  return { ...embeddedPaths(directory), sockets: join(top, "sockets") };
}

describe("the directory of the sockets", () => {
  it("is made for its owner alone, and taken again", async () => {
    const own = await paths();
    await openSocketDirectory(own);
    expect((await lstat(own.sockets)).mode & 0o777).toBe(0o700);
    await openSocketDirectory(own);
  });

  it("is refused where it is a link, wherever that leads", async () => {
    const own = await paths();
    await mkdir(join(top, "trap"), { mode: 0o700 });
    await symlink(join(top, "trap"), own.sockets);
    await expect(openSocketDirectory(own)).rejects.toThrow(/is not a directory.*MILLRACE_DATA_DIR/);
  });

  it.each([0o777, 0o750, 0o701])("is refused where others may enter it (%s)", async (mode) => {
    const own = await paths();
    await mkdir(own.sockets);
    await chmod(own.sockets, mode);
    await expect(openSocketDirectory(own)).rejects.toThrow(/can be entered by others/);
  });

  it("is closed to others inside the data directory, where a volume may have opened it", async () => {
    const directory = join(top, "data");
    const own = embeddedPaths(directory);
    await mkdir(own.sockets, { recursive: true });
    await chmod(own.sockets, 0o2770);
    await openSocketDirectory(own);
    expect((await lstat(own.sockets)).mode & 0o077).toBe(0);
  });

  it.runIf(isRoot)("is refused where it belongs to another user", async () => {
    const own = await paths();
    await mkdir(own.sockets, { mode: 0o700 });
    await chown(own.sockets, 12_345, 12_345);
    await expect(openSocketDirectory(own)).rejects.toThrow(/belongs to another user \(12345\)/);
  });
});
