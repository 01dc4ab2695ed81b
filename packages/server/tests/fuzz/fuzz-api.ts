type Data = Record<string, unknown>;

export type FuzzApi = ReturnType<typeof makeApi>;

const LOOKS = 500;

/** The service as somebody well-behaved uses it. */
export function makeApi(address: string) {
  const call = async (method: string, key: string, path: string, body?: object): Promise<Data> => {
    const answer = await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return (JSON.parse(text) as { data: Data }).data;
  };
  const get = (key: string, path: string) => call("GET", key, path);
  const post = (key: string, path: string, body: object) => call("POST", key, path, body);
  const trigger = async (key: string, flowId: string, more: object = {}): Promise<string> => {
    const payload = { flowId, data: { name: "Ada" } };
    const { id, queueId } = await post(key, "/api/runs", { payload, ...more });
    return String(id ?? queueId);
  };
  /** What the run has to show as soon as it has it. */
  const untilShown = async <Shown>(
    key: string,
    runId: string,
    look: (run: Data) => Shown | undefined,
  ): Promise<Shown> => {
    for (let looks = 0; looks < LOOKS; looks++) {
      const shown = look(await get(key, `/api/runs/${runId}`));
      if (shown !== undefined) return shown;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`the run ${runId} never came so far`);
  };
  return {
    post,
    put: (key: string, path: string, body: object) => call("PUT", key, path, body),
    trigger,
    /** A run that has completed. */
    ended: async (key: string, flowId: string): Promise<string> => {
      const runId = await trigger(key, flowId);
      return untilShown(key, runId, ({ status }) => (status === "COMPLETED" ? runId : undefined));
    },
    session: async (key: string, agentId: string): Promise<string> =>
      String((await post(key, `/api/agents/${agentId}/sessions`, {}))["sessionId"]),
    resumeToken: (key: string, runId: string): Promise<string> =>
      untilShown(key, runId, ({ pause }) =>
        (pause as { resumeUrl: string } | undefined)?.resumeUrl.split("/").at(-1),
      ),
    cursors: async (key: string): Promise<string[]> => {
      const { pagination } = (await get(key, "/api/runs?page[size]=2")) as { pagination: { next: string } };
      return [pagination.next];
    },
  };
}
