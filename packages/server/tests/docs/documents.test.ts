import { readdir, readFile } from "node:fs/promises";
import { documentKinds } from "@millrace/contract/documents/document";
import { expect, it } from "vitest";
import { renderDocumentReference } from "../../../../scripts/document-reference.ts";

const docs = new URL("../../../../docs/", import.meta.url);

it("docs/documents.md is what the schemas say; `npm run docs` writes it anew", async () => {
  const page = await readFile(new URL("documents.md", docs), "utf8");
  expect(page).toBe(renderDocumentReference());
  for (const kind of documentKinds) expect(page).toContain(`\n## ${kind}\n`);
  for (const field of [
    "graph.nodes[].data.retry.on",
    "design.provider.baseUrl",
    "members[].email",
    "onFailure",
  ])
    expect(page).toContain(`| \`${field}\``);
});

it("links in docs lead to pages and headings that exist", async () => {
  const files = (await readdir(docs, { recursive: true })).filter((file) => file.endsWith(".md"));
  const pages = new Map<string, string>();
  for (const file of files)
    pages.set(new URL(file, docs).pathname, await readFile(new URL(file, docs), "utf8"));
  const broken: string[] = [];
  for (const [path, text] of pages) {
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+\.md[^)\s]*|#[^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const url = new URL(target, `file://${path}`);
      const page = pages.get(url.pathname);
      const anchors = [...(page ?? "").matchAll(/^#+ (.*)$/gm)].map(([, title]) => anchorOf(title!));
      const exists = page !== undefined || url.pathname.endsWith("README.md");
      if (!exists || (url.hash !== "" && page !== undefined && !anchors.includes(url.hash.slice(1))))
        broken.push(`${path}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
