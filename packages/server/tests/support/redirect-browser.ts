import { type BrowserAnswer, sendRaw } from "./browser.ts";

/** Follows redirects and keeps cookies for each origin apart, as a browser does. */
export class RedirectBrowser {
  readonly #cookies = new Map<string, Map<string, string>>();
  readonly visited: string[] = [];

  async open(address: string, until = (_url: URL) => false): Promise<{ url: URL; answer: BrowserAnswer }> {
    let url = new URL(address);
    for (let hops = 0; hops < 15; hops++) {
      const answer = await this.get(url);
      const { location } = answer.headers;
      if (answer.status < 300 || answer.status >= 400 || location === undefined) return { url, answer };
      url = new URL(String(location), url);
      if (until(url)) return { url, answer };
    }
    throw new Error("too many redirects");
  }

  async get(url: URL): Promise<BrowserAnswer> {
    this.visited.push(url.href);
    const jar = this.#cookies.get(url.origin) ?? new Map<string, string>();
    this.#cookies.set(url.origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await sendRaw(url.origin, "GET", url.pathname + url.search, {
      headers: { ...(cookie && { cookie }), "sec-fetch-site": "cross-site" },
    });
    for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
      const [name, value] = line.split(";")[0]!.split(/=(.*)/s) as [string, string];
      if (value === "" || /max-age=0\b/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  cookie(origin: string, name: string): string | undefined {
    return this.#cookies.get(origin)?.get(name);
  }
}
