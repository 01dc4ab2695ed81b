"""Triggers many runs through a proxy that breaks connections, a hundred at a time; prints what came of it as JSON.

    storm.py URL KEY FLOW COUNT
"""

from __future__ import annotations

import asyncio
import json
import sys

from millrace import AsyncMillrace, MillraceError

AT_ONCE = 100


async def main(url: str, key: str, flow_id: str, count: int) -> None:
    client = AsyncMillrace(url, key, timeout=4, max_retries=12)
    room = asyncio.Semaphore(AT_ONCE)
    run_ids: list[str] = []
    given_up = 0

    async def trigger(n: int) -> None:
        nonlocal given_up
        async with room:
            try:
                started = await client.runs.trigger(flow_id, data={"n": n})
                run_ids.append(started["id"] if "id" in started else started["queueId"].replace("queue_", "run_"))
            except MillraceError:
                given_up += 1

    await asyncio.gather(*(trigger(n) for n in range(count)))
    print(json.dumps({"started": len(run_ids), "givenUp": given_up, "runIds": run_ids}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
