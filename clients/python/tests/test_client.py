"""Against a real service: MILLRACE_URL, MILLRACE_API_KEY, and MILLRACE_FAULTY_URL for the same behind a faulty proxy."""

from __future__ import annotations

import asyncio
import os
import unittest
from datetime import datetime, timedelta, timezone
from typing import Any

from millrace import (
    AsyncMillrace,
    AuthenticationError,
    BadRequestError,
    Millrace,
    MillraceError,
    NotFoundError,
    OrganizationEvent,
    PermissionDeniedError,
)

URL = os.environ["MILLRACE_URL"]
FAULTY_URL = os.environ["MILLRACE_FAULTY_URL"]
KEY = os.environ["MILLRACE_API_KEY"]


class SyncTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Millrace(URL, KEY)

    def test_says_whose_key_it_is_and_lists_page_by_page(self) -> None:
        self.assertTrue(self.client.validate()["authenticated"])
        ids = [flow["id"] for flow in self.client.flows.list(page_size=1)]
        self.assertIn("flow_hello", ids)
        self.assertGreater(len(ids), 1)
        page = self.client.flows.list(page_size=1)
        self.assertEqual(len(page.data), 1)
        following = page.next_page()
        assert following is not None
        self.assertEqual(following.data[0]["id"], ids[1])
        self.assertEqual(self.client.flows.get("flow_hello")["id"], "flow_hello")

    def test_triggers_waits_streams_and_finds_runs(self) -> None:
        run = self.client.runs.trigger_and_wait("flow_hello", {"name": "Python"}, tags=["py"], data={"n": 1})
        self.assertEqual((run["status"], run.get("output")), ("COMPLETED", {"text": "Hello Python!"}))
        kinds = [event["type"] for event in self.client.runs.stream(run["id"], nodes=True)]
        self.assertEqual((kinds[0], kinds[-1]), ("connected", "completed"))
        self.assertIn("node", kinds)
        self.assertEqual([node["nodeKey"] for node in self.client.runs.nodes(run["id"])], ["start", "done"])
        found = self.client.runs.list(status=["COMPLETED", "FAILED"], tag=["py"], page_size=100)
        self.assertIn(run["id"], [one["id"] for one in found])
        fork = self.client.runs.fork(run["id"], {"from": "start"})
        self.assertEqual(fork["forkedFrom"]["runId"], run["id"])
        self.assertFalse(self.client.runs.why(run["id"])["waiting"])

    def test_answers_approvals_and_cancels(self) -> None:
        started = self.client.runs.trigger("flow_asking")
        assert "id" in started
        for event in self.client.runs.stream(started["id"]):
            if event["type"] == "update" and event["data"]["status"] == "PAUSED":
                self.client.runs.resume(started["id"], "approved", data={"note": "fine"})
        self.assertEqual(self.client.runs.get(started["id"]).get("output"), {"note": "fine"})
        paused = self.client.runs.trigger("flow_asking")
        assert "id" in paused
        for event in self.client.runs.stream(paused["id"]):
            if event["type"] == "update" and event["data"]["status"] == "PAUSED":
                break
        self.assertEqual(self.client.runs.cancel(paused["id"], paused=True)["status"], "CANCELED")

    def test_chats_whole_and_piece_by_piece(self) -> None:
        session = self.client.sessions.create("agent_one")["sessionId"]
        self.assertIn("Hello", self.client.sessions.send("agent_one", session, "Hello")["text"])
        events = list(self.client.sessions.stream("agent_one", session, "Once more"))
        text = "".join(event["delta"] for event in events if event["type"] == "text-delta")
        last = events[-1]
        assert last["type"] == "done"
        self.assertEqual(last["text"], text)
        first_id = events[0].get("id")
        assert isinstance(first_id, str)
        rest = list(self.client.sessions.resume("agent_one", session, last_event_id=first_id))
        self.assertEqual(rest, events[1:])

    def test_fails_by_status_and_code(self) -> None:
        with self.assertRaises(NotFoundError) as missing:
            self.client.flows.get("flow_nowhere")
        self.assertEqual(missing.exception.code, "flow_not_found")
        self.assertTrue(missing.exception.request_id)
        with self.assertRaises(AuthenticationError):
            Millrace(URL, "mr_org_wrong").validate()
        with self.assertRaises(BadRequestError) as bad:
            self.client.runs.trigger("flow_hello", delay="soon")
        self.assertEqual([issue["path"] for issue in bad.exception.issues], [["delay"]])
        german = Millrace(URL, KEY, locale="de")
        with self.assertRaisesRegex(MillraceError, "Ablauf nicht gefunden"):
            german.flows.get("flow_nowhere")

    def test_manages_the_service(self) -> None:
        manage = self.client.manage
        created = manage.create_key({"name": "from Python", "role": "viewer"})
        self.assertTrue(created["key"].startswith("mr_org_"))
        self.assertIn(created["id"], [key["id"] for key in manage.list_keys(page_size=1)])
        with self.assertRaises(PermissionDeniedError):
            Millrace(URL, created["key"]).manage.create_key({"name": "more"})
        rotated = manage.rotate_key(created["id"])
        self.assertNotEqual(rotated["id"], created["id"])
        self.assertEqual(manage.revoke_key(rotated["id"])["id"], rotated["id"])
        since = datetime.now(timezone.utc) - timedelta(hours=1)
        actions = [entry["action"] for entry in manage.list_audit(action="key", from_=since)]
        self.assertIn("key.create", actions)
        version = manage.list_flow_versions("flow_hello").data[0]["version"]
        self.assertEqual(manage.get_flow_version("flow_hello", version)["graph"]["nodes"][0]["id"], "start")
        deletion = manage.preview_flow_deletion("flow_hello", runs="keep")
        self.assertEqual(deletion["schedules"], 0)
        self.assertIn("kind: Flow", manage.export_documents())
        self.assertTrue(all(duty["name"] for duty in manage.list_duties()["data"]))
        with self.assertRaises(NotFoundError):
            manage.get_job("job_nowhere")

    def test_reaches_every_other_route_and_takes_no_unknown_argument(self) -> None:
        keys = self.client.request("GET", "/manage/keys", query={"page[size]": 1})
        self.assertEqual(len(keys["data"]), 1)
        wrong: Any = {"tgas": ["a"]}
        for call in (self.client.runs.trigger, self.client.flows.runs):
            with self.assertRaisesRegex(TypeError, "tgas"):
                call("flow_hello", **wrong)


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    async def test_does_the_same_with_asyncio(self) -> None:
        async with AsyncMillrace(URL, KEY) as client:
            runs = await asyncio.gather(
                *(client.runs.trigger_and_wait("flow_hello", {"name": str(n)}) for n in range(5))
            )
            self.assertEqual([run.get("output") for run in runs], [{"text": f"Hello {n}!"} for n in range(5)])
            kinds = [event["type"] async for event in client.runs.stream(runs[0]["id"])]
            self.assertEqual((kinds[0], kinds[-1]), ("connected", "completed"))
            ids = [flow["id"] async for flow in client.flows.list(page_size=1)]
            page = await client.flows.list(page_size=1)
            self.assertEqual(page.data[0]["id"], ids[0])
            session = (await client.sessions.create("agent_one"))["sessionId"]
            events = [event async for event in client.sessions.stream("agent_one", session, "Hi")]
            self.assertEqual(events[-1]["type"], "done")
            self.assertEqual((await client.manage.list_flow_versions("flow_hello")).data[0]["active"], True)
            names = [variable async for variable in client.manage.list_variable_versions()]
            self.assertEqual((names, (await client.manage.get_variables())["version"]), ([], 0))
            with self.assertRaises(NotFoundError):
                await client.runs.get("run_nowhere")

    async def test_follows_every_run_of_the_organization(self) -> None:
        client = AsyncMillrace(URL, KEY)

        async def first_change() -> OrganizationEvent:
            async for change in client.manage.stream_runs():
                return change
            raise AssertionError("the stream has ended")

        following = asyncio.create_task(first_change())
        while not following.done():
            await client.runs.trigger("flow_hello", {"name": "stream"})
            await asyncio.wait([following], timeout=0.2)
        change = following.result()
        assert change["type"] == "run"
        self.assertTrue(change["runId"].startswith("run_"))

    async def test_can_be_cancelled_in_the_middle(self) -> None:
        client = AsyncMillrace(URL, KEY)
        started = await client.runs.trigger("flow_hello", delay="1h")
        assert "id" in started
        waiting = asyncio.create_task(client.runs.wait(started["id"]))
        await asyncio.sleep(0.2)
        waiting.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await waiting
        await client.runs.cancel(started["id"])


class FaultTest(unittest.TestCase):
    """Most requests break in one of the proxy's ways."""

    def test_starts_each_run_once(self) -> None:
        client = Millrace(FAULTY_URL, KEY, timeout=1.5, max_retries=8)
        for n in range(4):
            started = client.runs.trigger("flow_hello", data={"storm": n}, tags=["py-storm"])
            self.assertIn("id", started)
        stored = [run["id"] for run in Millrace(URL, KEY).runs.list(tag=["py-storm"], page_size=100)]
        self.assertEqual(len(stored), 4)


if __name__ == "__main__":
    unittest.main(argv=["test_client"], verbosity=2)
