import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunTestService, startRunService } from "../../../packages/server/tests/support/runs-service.ts";
import { addKey, addUser } from "../../../packages/server/tests/support/workspace.ts";
import { findBarriers, launchBrowser, withBrowser } from "./support/browser.ts";
import { signedIn } from "./support/workspace.ts";

interface Graph {
  nodes: { id: string; type: string; parentId?: string; data?: { label?: string; inputs?: object } }[];
  edges: { source: string; target: string; sourceHandle?: string }[];
}

withBrowser("the editor", () => {
  let service: RunTestService;
  let ownerKey: string;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startRunService({ concurrency: 20 }), launchBrowser()]);
    const owner = { organizationId: "org_run", userId: "rosa", role: "owner" as const };
    ({ key: ownerKey } = await addKey(service.database.pool, owner));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const call = async (method: "GET" | "POST" | "PUT", path: string, body?: object) => {
    const answer = await service.send(method, path, { key: ownerKey, ...(body && { body }) });
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body.data;
  };
  /** A flow with nothing in it but its beginning. */
  const newFlow = async (flowId: string, nodes: object[] = [], edges: object[] = []) => {
    const graph = { nodes: [{ id: "start", type: "start", data: {} }, ...nodes], edges };
    await call("POST", "/manage/flows", { organizationId: "org_run", id: flowId, name: flowId, graph });
    return flowId;
  };
  const draftOf = async (flowId: string): Promise<{ graph: Graph; revision: number }> =>
    call("GET", `/manage/flows/${flowId}/draft`);
  const savedOn = (page: Page) => page.locator("[data-saved=saved]").waitFor();
  const edgesOf = ({ edges }: Graph) =>
    edges
      .map(({ source, sourceHandle, target }) => [source, sourceHandle, target].filter(Boolean).join(" "))
      .sort();
  const open = async (flowId: string, search = "", look = {}) => {
    const watched = await signedIn(browser, { service, ownerKey }, look);
    await watched.page.goto(`/console/flows/${flowId}/edit${search}`);
    await savedOn(watched.page);
    return watched;
  };

  /** What every way of building has to end in: it would run, and does what it says. */
  const expectOrderFlow = async (flowId: string) => {
    const { graph } = await draftOf(flowId);
    expect(graph.nodes.map(({ id, type }) => `${id} ${type}`)).toEqual([
      "start start",
      "sum transform",
      "large if",
      "ask set",
      "done return",
    ]);
    expect(edgesOf(graph)).toEqual([
      "ask done",
      "large false done",
      "large true ask",
      "start sum",
      "sum large",
    ]);
    const checked = await call("POST", `/manage/flows/${flowId}/draft/validate`, {});
    expect(checked).toMatchObject({ valid: true, errors: [] });
    await call("POST", `/manage/flows/${flowId}/publish`, {});
    for (const [price, said] of [
      [12, undefined],
      [200, "large"],
    ] as const) {
      const body = { lines: [{ price, quantity: 1 }] };
      const runId = await service.begin(flowId, { payload: { trigger: { body } } });
      const run = await service.untilStatus(runId, "COMPLETED");
      expect(run.output).toEqual({ total: price, ...(said && { said }) });
    }
  };
  const EXPRESSION = "$sum(trigger.body.lines.(price * quantity))";

  it("builds a flow from nothing by keyboard alone", async () => {
    const flowId = await newFlow("flow_keys");
    const { page, context, faults } = await open(flowId, "?pane=outline");
    const { keyboard } = page;
    const press = async (...keys: string[]) => {
      for (const key of keys) await keyboard.press(key);
    };
    const name = async (id: string) => {
      await page.locator("#editor-side input").first().waitFor();
      await expect
        .poll(() => page.evaluate("document.activeElement?.closest('#editor-side') !== null"))
        .toBe(true);
      await press("Tab", "ControlOrMeta+a");
      await keyboard.type(id);
      await press("Tab");
    };
    /** Out of the form; a list of completions takes the first Escape for itself. */
    const leave = async () => {
      for (let at = 0; at < 3; at++) {
        await press("Escape");
        if (await page.evaluate("document.activeElement?.id === 'editor-view'")) return;
      }
    };
    const add = async (type: string, id: string) => {
      await leave();
      await press("a");
      await page.getByRole("combobox", { name: "Find a node type" }).waitFor();
      await keyboard.type(type);
      await press("Enter");
      await name(id);
    };
    await press("a");
    await page.getByRole("combobox", { name: "Find a node type" }).waitFor();
    await keyboard.type("transform");
    await press("Enter");
    await name("sum");
    await keyboard.type(EXPRESSION);
    await add("if", "large");
    await keyboard.type("{{ nodes.sum.value > 100 }}");
    await add("set", "ask");
    // A row of `values`: its button, then its name and its value.
    await press("Enter");
    await keyboard.type("said");
    await press("Tab");
    await keyboard.type("large");
    await add("return", "done");
    await keyboard.type('{{ {"total": nodes.sum.value, "said": nodes.ask.said} }}');
    // The other way out of the condition, chosen from the list of nodes.
    await leave();
    await page.getByRole("button", { name: /^large/ }).focus();
    await press("Enter", "e");
    await page.getByLabel("Connect to… (false)").focus();
    await keyboard.type("done");
    await expect.poll(async () => (await draftOf(flowId)).graph.edges.length).toBe(5);
    await savedOn(page);
    await expectOrderFlow(flowId);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("builds the same by the outline alone on a phone", async () => {
    const flowId = await newFlow("flow_phone");
    const { page, context, faults } = await open(flowId, "", { width: 390, height: 844 });
    const outline = page.getByRole("list", { name: "Outline" });
    const side = page.locator("#editor-side");
    const after = async (node: RegExp, type: string, id: string) => {
      await outline.getByRole("button", { name: node }).first().click();
      await outline.getByRole("button", { name: "Insert after" }).click();
      await page.getByRole("combobox", { name: "Find a node type" }).fill(type);
      await page
        .getByRole("option", { name: new RegExp(`^${type}`) })
        .first()
        .click();
      const field = side.getByLabel("Id", { exact: true });
      await field.fill(id);
      await field.press("Enter");
    };
    const back = () => page.getByRole("button", { name: "Back", exact: true }).click();
    await after(/^start/, "transform", "sum");
    await side.getByRole("textbox", { name: /^expression/ }).fill(EXPRESSION);
    await back();
    await after(/^sum/, "if", "large");
    await side.getByRole("textbox", { name: /^condition/ }).fill("{{ nodes.sum.value > 100 }}");
    await back();
    await after(/^large/, "set", "ask");
    await side.getByRole("button", { name: "Add to values" }).click();
    await side.getByLabel("values: name 1").fill("said");
    await side.getByRole("textbox", { name: "values: value of said" }).fill("large");
    await back();
    await after(/^ask/, "return", "done");
    await side
      .getByRole("textbox", { name: /^value/ })
      .fill('{{ {"total": nodes.sum.value, "said": nodes.ask.said} }}');
    await back();
    await outline
      .getByRole("button", { name: /^large/ })
      .first()
      .click();
    await outline.getByRole("button", { name: "Edit" }).click();
    await side.getByLabel("Connect to… (false)").selectOption("done");
    await expect.poll(async () => (await draftOf(flowId)).graph.edges.length).toBe(5);
    await back();
    await savedOn(page);
    await expectOrderFlow(flowId);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("builds on the canvas by mouse: insert on an edge, connect, drag, copy, remove, undo", async () => {
    const flowId = await newFlow(
      "flow_mouse",
      [
        { id: "a", type: "set", data: { inputs: { values: { n: 1 } } } },
        { id: "b", type: "set", data: { inputs: { values: { n: "{{ nodes.a.n }}" } } } },
      ],
      [{ id: "e1", source: "start", target: "a" }],
    );
    const { page, context, faults } = await open(flowId);
    const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
    const edges = async () => edgesOf((await draftOf(flowId)).graph);
    await node("a").waitFor();
    await node("a").locator(".source").dragTo(node("b").locator(".target"));
    await expect.poll(edges).toEqual(["a b", "start a"]);
    await page.getByRole("button", { name: "Insert between start and a" }).click({ force: true });
    await page.getByRole("option", { name: /^wait/ }).click();
    await expect.poll(edges).toEqual(["a b", "start wait", "wait a"]);
    const place = (await node("b").boundingBox())!;
    await page.mouse.move(place.x + 40, place.y + 20);
    await page.mouse.down();
    await page.mouse.move(place.x + 140, place.y + 80, { steps: 5 });
    await page.mouse.up();
    const positions = async () =>
      (await draftOf(flowId)).graph.nodes.map((one) => (one as { position?: object }).position !== undefined);
    await expect.poll(positions).toEqual([true, true, true, true]);
    await node("a").click();
    await page.keyboard.press("Control+c");
    await page.keyboard.press("Control+v");
    const ids = async () => (await draftOf(flowId)).graph.nodes.map(({ id }) => id);
    await expect.poll(ids).toEqual(["start", "a", "b", "wait", "a_2"]);
    await page.keyboard.press("Delete");
    await expect.poll(ids).toEqual(["start", "a", "b", "wait"]);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await expect.poll(positions).toEqual([false, false, false, false]);
    expect(faults).toEqual([]);
    await context.close();
  });

  it("shows canvas, outline and YAML of one state, and the validator's words at the node and its line", async () => {
    const flowId = await newFlow("flow_text");
    const { page, context, faults } = await open(flowId, "?pane=yaml");
    const code = page.getByRole("textbox", { name: "YAML" });
    const write = async (text: string) => {
      await code.click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    };
    await write(`# Kept.
graph:
  nodes:
    - { id: start, type: start }
    - id: greet # who it is for
      type: set
      data: { inputs: { valus: { n: 1 } } }
  edges:
    - { source: start, target: greet }
`);
    await page.getByRole("button", { name: /^Problems: / }).waitFor();
    await page.locator(".cm-lint-marker-error").first().waitFor();
    await page.getByRole("tab", { name: "Canvas" }).click();
    await page.getByRole("group", { name: /^greet, set, Problems/ }).click();
    await page.getByRole("textbox", { name: "Label" }).fill("Greet Ada");
    await page.getByRole("group", { name: /^Greet Ada, set/ }).waitFor();
    await page.getByRole("tab", { name: "YAML" }).click();
    await expect.poll(() => code.textContent()).toContain("who it is for");
    expect(await code.textContent()).toContain("Greet Ada");
    await write("graph: [");
    await page.getByText(/^Line 1/).waitFor();
    await page.getByRole("tab", { name: "Outline" }).click();
    await page.getByRole("button", { name: /^Greet Ada/ }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    expect(faults).toEqual([]);
    await context.close();
  });

  it("loses nothing where two tabs, or an apply, change the same draft", async () => {
    const flowId = await newFlow("flow_tabs", [
      { id: "a", type: "set", data: { inputs: { values: { n: 1 } } } },
    ]);
    const first = await open(flowId, "?pane=outline&node=a");
    const second = await first.context.newPage();
    first.expectRefusal(409, "/draft");
    await second.goto(`/console/flows/${flowId}/edit?pane=outline&node=a`);
    await savedOn(second);
    const label = (page: Page) => page.getByRole("textbox", { name: "Label" });
    const kept = async () => (await draftOf(flowId)).graph.nodes[1]?.data?.label;
    await label(second).fill("Of the second");
    await expect.poll(kept).toBe("Of the second");
    await label(first.page).fill("Of the first");
    const dialog = first.page.getByRole("dialog", { name: "Somebody else has changed the draft" });
    await dialog.getByText("Of the second").waitFor();
    expect(await dialog.getByText("Of the first").count()).toBe(1);
    expect(await kept()).toBe("Of the second");
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(kept).toBe("Of the first");

    // Somebody applies the document meanwhile.
    const { graph } = await draftOf(flowId);
    await call("POST", `/manage/flows/${flowId}/publish`, {});
    graph.nodes[1]!.data!.label = "Of apply";
    const document = { kind: "Flow", id: flowId, organizationId: "org_run", name: "Tabs", graph };
    graph.nodes[1]!.data!.inputs = { values: { n: 2 } };
    await call("POST", "/manage/documents", { files: [{ path: "a.json", text: JSON.stringify(document) }] });
    await label(first.page).fill("Typed meanwhile");
    await dialog.getByText("Of apply").waitFor();
    expect(await kept()).toBe("Of apply");
    await dialog.getByRole("button", { name: "Take theirs" }).click();
    await expect.poll(() => label(first.page).inputValue()).toBe("Of apply");
    await first.page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(kept).toBe("Typed meanwhile");
    expect(first.faults).toEqual([]);
    await first.context.close();
  });

  it("has no barriers in either theme, on a phone or a desk, and lets a viewer look only", async () => {
    const flowId = await newFlow(
      "flow_looks",
      [
        {
          id: "each",
          type: "for-each",
          data: { inputs: { items: "{{ [1..3] }}" }, ui: { note: "Three times" } },
        },
        {
          id: "in",
          type: "switch",
          parentId: "each",
          data: { inputs: { value: 1, cases: [{ name: "one", equals: 1 }] } },
        },
        { id: "call", type: "http-request", data: { inputs: { method: "GET", headers: { a: "b" } } } },
      ],
      [
        { id: "e1", source: "start", target: "each" },
        { id: "e2", source: "each", sourceHandle: "done", target: "call" },
      ],
    );
    const found: Record<string, string[]> = {};
    const looks = [
      // German is the longest language.
      {
        look: { theme: "dark", width: 390, height: 844, locale: "de" },
        panes: ["outline", "canvas", "yaml"],
      },
      { look: { theme: "light", width: 1400 }, panes: ["canvas", "outline&panel=flow", "yaml"] },
    ] as const;
    for (const { look, panes } of looks) {
      const { page, context, faults } = await open(flowId, "", look);
      const check = async (name: string) => {
        const barriers = await findBarriers(page);
        if (await page.evaluate("document.documentElement.scrollWidth > innerWidth"))
          barriers.push("can be scrolled sideways");
        if (barriers.length > 0) found[`${look.theme} ${name}`] = barriers;
      };
      for (const [at, pane] of panes.entries()) {
        await page.goto(`/console/flows/${flowId}/edit?pane=${pane}&node=${["each", "call", "in"][at]}`);
        await savedOn(page);
        await page.locator("#editor-view > *").first().waitFor();
        await check(pane);
      }
      if (look.width === 1400) {
        await page.getByRole("tab", { name: "Outline" }).click();
        await page.getByRole("button", { name: "Add a node" }).click();
        await check("palette");
      }
      expect(faults).toEqual([]);
      await context.close();
    }
    expect(found).toEqual({});
    await addUser(service.database.pool, "vera", { org_run: "viewer" });
    const viewer = { organizationId: "org_run", userId: "vera", role: "viewer" as const };
    const { key } = await addKey(service.database.pool, viewer);
    const { page, context } = await signedIn(browser, { service, ownerKey }, {}, key);
    await page.goto(`/console/flows/${flowId}/edit?node=call`);
    await page.getByText("Read only").waitFor();
    expect(await page.getByRole("button", { name: "Add a node" }).count()).toBe(0);
    await context.close();
  });
});
