import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { chain, node } from "../../../packages/server/tests/support/runs-flows.ts";
import { findBarriers, withBrowser } from "./support/browser.ts";
import { edgesOf, useEditorService } from "./support/editor.ts";
import type { Hands } from "./support/hands/hands.ts";
import { byKeys } from "./support/hands/keys.ts";
import { byMouse } from "./support/hands/mouse.ts";
import { byOutline } from "./support/hands/phone.ts";
import {
  builtEdges,
  builtNodes,
  largeOrder,
  type Payment,
  smallOrder,
  startPayment,
} from "./support/order-flow.ts";
import { buildOrderFlow, publishOrderFlow, runOrderFlow, testOrderFlow } from "./support/order-journey.ts";

withBrowser("building a flow in the editor", () => {
  const { call, draftOf, openAt, service } = useEditorService();
  let payment: Payment;
  beforeAll(async () => {
    payment = await startPayment();
  });
  afterAll(() => payment?.close());
  beforeEach(() => {
    payment.calls.length = 0;
  });

  const ways: [string, (page: Page) => Hands, object][] = [
    ["by mouse", byMouse, {}],
    ["by keyboard alone", byKeys, {}],
    ["by the outline alone on a phone", byOutline, { width: 390, height: 844 }],
  ];
  it.each(ways)(
    "goes from nothing to a paid order %s",
    async (how, make, look) => {
      const { page, context, faults } = await openAt("/console/flows", look);
      const hands = make(page);
      const flowId = await buildOrderFlow(page, hands, { name: `Order ${how}`, payment: payment.url });
      await expect.poll(async () => edgesOf((await draftOf(flowId)).graph)).toEqual(builtEdges);
      const { graph } = await draftOf(flowId);
      expect(graph.nodes.map(({ id, type }) => `${id} ${type}`).sort()).toEqual(builtNodes);

      await testOrderFlow(page, hands);
      expect(payment.calls).toEqual([]);
      await publishOrderFlow(page, hands);
      const [small, large] = await runOrderFlow(page, hands);
      const outputOf = async (runId: string) => (await call("GET", `/api/runs/${runId}`)).output;
      expect(await outputOf(small)).toEqual({ charged: true, total: 44, chargeId: "ch_1" });
      expect(await outputOf(large)).toEqual({ charged: true, total: 120, chargeId: "ch_2" });
      expect(payment.calls).toEqual([
        { amount: 44, customer: smallOrder.email },
        { amount: 120, customer: largeOrder.email },
      ]);
      expect(faults).toEqual([]);
      await context.close();
    },
    400_000,
  );

  it("runs a node, all behind it, or the whole draft for real, and only where somebody says so", async () => {
    const ask = (path: string) => node(path, "http-request", { url: `${payment.url}/${path}` });
    const graph = chain(
      ask("quote"),
      ask("charge"),
      node("done", "return", { value: { id: "{{ nodes.charge.body.id }}" } }),
    );
    const flowId = "flow_effects";
    await call("POST", "/manage/flows", { organizationId: "org_run", id: flowId, name: flowId, graph });
    await call("POST", `/manage/flows/${flowId}/publish`, {});
    await service().untilStatus(await service().begin(flowId), "COMPLETED");
    expect(payment.calls).toEqual(["/quote", "/charge"]);

    const { page, context, faults } = await openAt(`/console/flows/${flowId}/edit?node=charge`);
    await page.getByRole("button", { name: "Add to headers" }).click();
    await page.getByLabel("headers: name 1").fill("x-quote");
    await page.getByRole("textbox", { name: "headers: value of x-quote" }).fill("{{ nodes.quote.body.id }}");
    await page.getByText("ch_1").first().waitFor();
    await page.getByRole("tab", { name: "Values" }).click();
    await page.getByText("As the run recorded it").waitFor();
    const dialog = page.getByRole("dialog");
    const begin = (what: string) => page.getByRole("button", { name: what, exact: true }).click();
    const confirm = () => dialog.getByRole("button", { name: "Run with real effects" }).click();
    const result = dialog.getByRole("region", { name: "Result" });
    await begin("Run this node");
    await dialog.getByRole("button", { name: "Close" }).click();
    expect(payment.calls).toHaveLength(2);

    await begin("Run this node");
    await confirm();
    await result.getByText("Completed").waitFor();
    await result.getByText("ch_3").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(payment.calls.slice(2)).toEqual(["/charge"]);
    await dialog.getByRole("button", { name: "Use its values in the editor" }).click();
    await page.getByRole("region", { name: "Values of charge" }).getByText("ch_3").waitFor();

    await page.getByRole("group", { name: /^quote, / }).click();
    await begin("Run from here");
    await confirm();
    await result.getByText("ch_5").waitFor();
    expect(payment.calls.slice(3)).toEqual(["/quote", "/charge"]);
    await dialog.getByRole("button", { name: "Close" }).first().click();
    await begin("Run all");
    await confirm();
    await result.getByText("ch_7").waitFor();
    expect(payment.calls.slice(5)).toEqual(["/quote", "/charge"]);
    const { data } = await call("GET", `/api/runs?filter[flowId]=${flowId}&filter[isTest]=true`);
    expect(data).toHaveLength(3);
    expect(faults).toEqual([]);
    await context.close();
  });
});
