import type { ReactNode } from "react";
import { useT } from "../../../texts/texts.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { type Flow, type FlowNode, labelOf, nodeOf } from "../flow.ts";
import { handlesOf } from "../node-types.ts";
import { edgeKey } from "../operations/change-graph.ts";
import { connect, disconnect, leadingTo } from "../operations/edges.ts";
import { handleOf } from "../operations/insert.ts";
import { useAdding } from "../adding.tsx";
import { useEditor } from "../use-editor.ts";
import styles from "./forms.module.css";

/** Where a node leads to, way by way: connect, insert, disconnect. The whole of what a canvas does with edges. */
export function NodeWays({ node, isReadOnly }: { node: FlowNode; isReadOnly: boolean }): ReactNode {
  const t = useT();
  const flow = useEditor((state) => state.flow);
  const change = useEditor((state) => state.change);
  const add = useAdding();
  const edges = flow.graph.edges.filter(({ source }) => source === node.id);
  const known = handlesOf(node);
  const handles = [...new Set([...known, ...edges.map((edge) => handleOf(flow, edge))])];
  if (handles.length === 0) return null;
  const targets = targetsOf(flow, node);
  return (
    <fieldset className={styles.group}>
      <legend>{t("editor.next")}</legend>
      {handles.map((handle) => (
        <div key={handle} className={styles.ways}>
          {edges
            .filter((edge) => handleOf(flow, edge) === handle)
            .map((edge) => {
              const target = nodeOf(flow, edge.target);
              const name = target ? labelOf(target) : edge.target;
              return (
                <div key={edgeKey(edge)} className={styles.way}>
                  <span className="grow">
                    {known.length > 1 || handle !== "out" ? `${handle} → ` : "→ "}
                    <strong>{name}</strong>
                  </span>
                  {!isReadOnly && (
                    <button
                      type="button"
                      className="quiet"
                      aria-label={t("editor.disconnect", { node: name })}
                      onClick={() => change(disconnect(edgeKey(edge)))}
                    >
                      <Icon name="cross" />
                    </button>
                  )}
                </div>
              );
            })}
          {!isReadOnly && (
            <div className={styles.way}>
              {handle !== "out" && <span className="muted">{handle}</span>}
              <select
                aria-label={handle === "out" ? t("editor.connectTo") : `${t("editor.connectTo")} (${handle})`}
                value=""
                onChange={(event) => change(connect(node.id, handle, event.target.value))}
              >
                <option value="">{t("editor.connectTo")}</option>
                {targets.map((target) => (
                  <option key={target.id} value={target.id}>
                    {labelOf(target)}
                  </option>
                ))}
              </select>
              <button type="button" onClick={() => add({ after: node.id, handle })}>
                {t("editor.insertAfter")}
                {handle !== "out" && ` (${handle})`}
              </button>
            </div>
          )}
        </div>
      ))}
    </fieldset>
  );
}

/** What may come next: of the same container, no `start`, and nothing that leads back here. */
function targetsOf(flow: Flow, node: FlowNode): FlowNode[] {
  const before = leadingTo(flow.graph.edges, node.id);
  return flow.graph.nodes.filter(
    (other) =>
      !before.has(other.id) && other.type !== "start" && (other.parentId ?? "") === (node.parentId ?? ""),
  );
}
