import type { Answer } from "./route.ts";

/** The page behind an approval's link. */
export function resumePage({ decision }: { decision?: string }): Answer {
  const content = decision
    ? `<h1>Thank you</h1><p>The run was ${decision}.</p>`
    : `<h1>Approve this run?</h1><form method="post"><button name="decision" value="approved">Approve</button>
<button name="decision" value="rejected">Reject</button></form>`;
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Millrace</title><link rel="stylesheet" href="/docs/style.css"></head><body>${content}</body></html>`,
  };
}
