import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml } from "./html.ts";
import { highlight } from "./highlight.ts";

interface Section {
  /** Empty for what stands before the first heading below the title. */
  readonly id: string;
  readonly title: string;
  /** Its words without markup, for the search. */
  readonly text: string;
}

export interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly { readonly id: string; readonly title: string; readonly depth: number }[];
  readonly sections: readonly Section[];
}

/** What an address in the text becomes; `undefined`: the words stay, without a link. */
export type ResolveLink = (target: string) => string | undefined;

/** Markdown as HTML that needs neither scripts nor inline styles. Ids are those that GitHub gives to headings. */
export function renderMarkdown(text: string, resolveLink: ResolveLink): Rendered {
  const ids = new Map<string, number>();
  const headings: { id: string; title: string; depth: number }[] = [];
  const sections: { id: string; title: string; text: string }[] = [{ id: "", title: "", text: "" }];
  let title = "";

  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const words = wordsOf(tokens);
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        const { id } = headings[place++]!;
        return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(words)}">#</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const inner = this.parser.parseInline(tokens);
        const target = resolveLink(href);
        return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
      },
      image({ href, text: alternative }: Tokens.Image): string {
        const target = resolveLink(href) ?? href;
        return `<img src="${escapeHtml(target)}" alt="${escapeHtml(alternative)}" loading="lazy">`;
      },
      code({ text: code, lang = "" }: Tokens.Code): string {
        const language = lang.split(" ")[0]!;
        return `<pre tabindex="0"><code class="language-${escapeHtml(language)}">${highlight(code, language)}</code></pre>\n`;
      },
      table(token: Tokens.Table): string {
        const row = (cells: readonly Tokens.TableCell[], tag: "td" | "th") =>
          `<tr>${cells.map(({ tokens }) => cell(this.parser.parseInline(tokens), tag)).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("\n");
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      html({ text: markup }: Tokens.HTML | Tokens.Tag): string {
        return /^\s*<!--[\s\S]*-->\s*$/.test(markup) ? "" : escapeHtml(markup);
      },
    },
  });

  const tokens = marked.lexer(text);
  for (const token of tokens) {
    if (token.type === "heading") {
      const { tokens: inner, depth } = token as Tokens.Heading;
      const words = wordsOf(inner);
      if (depth === 1) {
        title ||= words;
        continue;
      }
      const id = uniqueSlug(words, ids);
      headings.push({ id, title: words, depth });
      sections.push({ id, title: words, text: "" });
    } else sections.at(-1)!.text += ` ${wordsOf([token])}`;
  }
  let place = 0;
  return { title, html: marked.parser(tokens), headings, sections };
}

/** An empty heading of a column is no heading. */
function cell(inner: string, tag: "td" | "th"): string {
  if (tag === "th" && inner === "") return "<td></td>";
  return tag === "th" ? `<th scope="col">${inner}</th>` : `<td>${inner}</td>`;
}

/** As GitHub does it, so that the same links work there. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function uniqueSlug(title: string, seen: Map<string, number>): string {
  const slug = slugOf(title);
  const count = seen.get(slug) ?? 0;
  seen.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens.map(words).join("").replaceAll(/\s+/g, " ").trim();
}

function words(token: Token): string {
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map((item) => wordsOf(item.tokens)).join(" ")).join(" ");
  }
  if (token.type === "list")
    return (token as Tokens.List).items.map((item) => `${wordsOf(item.tokens)} `).join("");
  if (token.type === "code") return `${(token as Tokens.Code).text} `;
  if ("tokens" in token && token.tokens) return token.tokens.map(words).join("");
  return "text" in token ? unescapeHtml(String(token.text)) : " ";
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
