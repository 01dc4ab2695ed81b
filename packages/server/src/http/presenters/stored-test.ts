import type { StoredTest } from "@millrace/contract/manage/replays";
import type { listTests } from "../../operations/flow-tests/manage-tests.ts";

type Stored = Awaited<ReturnType<typeof listTests>>[number];

export function presentTest({ id, document, author, updatedAt }: Stored): StoredTest {
  const { flowId, name } = document;
  return {
    id,
    flowId,
    name,
    ...(author !== null && { author }),
    updatedAt: updatedAt.toISOString(),
    document,
  };
}
