import { z } from "zod";

/** What React Flow saves with nodes, edges and the canvas (versions 11 and 12): kept, and without meaning for a run. */
const NODE_KEYS = [
  "position",
  "positionAbsolute",
  "width",
  "height",
  "initialWidth",
  "initialHeight",
  "measured",
  "style",
  "className",
  "zIndex",
  "hidden",
  "selected",
  "dragging",
  "resizing",
  "draggable",
  "selectable",
  "connectable",
  "deletable",
  "focusable",
  "dragHandle",
  "sourcePosition",
  "targetPosition",
  "parentNode",
  "extent",
  "expandParent",
  "origin",
  "handles",
  "ariaLabel",
  "ariaRole",
  "domAttributes",
] as const;

const EDGE_KEYS = [
  "type",
  "targetHandle",
  "data",
  "animated",
  "hidden",
  "selected",
  "selectable",
  "deletable",
  "focusable",
  "updatable",
  "reconnectable",
  "style",
  "className",
  "zIndex",
  "label",
  "labelStyle",
  "labelShowBg",
  "labelBgStyle",
  "labelBgPadding",
  "labelBgBorderRadius",
  "markerStart",
  "markerEnd",
  "pathOptions",
  "interactionWidth",
  "ariaLabel",
  "ariaRole",
  "domAttributes",
] as const;

export const nodeCanvasKeys = keptAsTheyAre(NODE_KEYS);
export const edgeCanvasKeys = keptAsTheyAre(EDGE_KEYS);
export const graphCanvasKeys = keptAsTheyAre(["viewport"]);

function keptAsTheyAre<Key extends string>(keys: readonly Key[]) {
  const kept = z.unknown().optional();
  return Object.fromEntries(keys.map((key) => [key, kept])) as Record<Key, typeof kept>;
}
