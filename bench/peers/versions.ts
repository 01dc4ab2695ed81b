/** What each peer is installed from: exact versions, so that a figure can be repeated. */
export interface PackageSet {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

export const PACKAGES = {
  n8n: {
    dependencies: { n8n: "2.41.1" },
    // Spreadsheets and HTML play no part here; n8n asks for an xlsx that is not in the npm registry, and the newest
    // linkedom for a package that is not everywhere.
    overrides: { xlsx: "0.18.5", linkedom: "0.18.12" },
  },
  dbos: { dependencies: { "@dbos-inc/dbos-sdk": "5.3.0" } },
  restate: {
    dependencies: { "@restatedev/restate-server": "1.7.12", "@restatedev/restate-sdk": "1.17.2" },
  },
  "graphile-worker": { dependencies: { "graphile-worker": "0.18.0" } },
} as const satisfies Record<string, PackageSet>;
