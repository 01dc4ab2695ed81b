import type { AriaLabelConfig } from "@xyflow/react";
import { useMemo } from "react";
import { useT } from "../texts/texts.tsx";

/** What a drawing says of itself to screen readers. What its keys do, the list of shortcuts says. */
export function useGraphWords(): Partial<AriaLabelConfig> {
  const t = useT();
  return useMemo(
    () => ({
      "node.a11yDescription.default": "",
      "node.a11yDescription.keyboardDisabled": "",
      "node.a11yDescription.ariaLiveMessage": ({ x, y }) => `x ${x}, y ${y}`,
      "edge.a11yDescription.default": "",
      "controls.ariaLabel": t("graph.view"),
      "controls.zoomIn.ariaLabel": t("graph.zoomIn"),
      "controls.zoomOut.ariaLabel": t("graph.zoomOut"),
      "controls.fitView.ariaLabel": t("graph.showAll"),
    }),
    [t],
  );
}
