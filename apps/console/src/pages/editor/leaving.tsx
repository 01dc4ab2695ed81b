import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useCallback } from "react";
import { useT } from "../../texts/texts.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import type { EditorState } from "./store.ts";
import { useEditorStore } from "./use-editor.ts";

/** Whether something is here and nowhere else. */
const isUnsaved = ({ saved, typed, isReadOnly }: EditorState) =>
  !isReadOnly && (saved !== "saved" || typed !== undefined);

/** Who goes elsewhere leaves nothing behind: it is saved first, and where that cannot be, they are asked. */
export function Leaving(): ReactNode {
  const t = useT();
  const store = useEditorStore();
  const mustAsk = useCallback(() => isUnsaved(store.getState()), [store]);
  const shouldBlockFn = useCallback(
    async ({ current, next }: { current: { pathname: string }; next: { pathname: string } }) => {
      if (current.pathname === next.pathname) return false;
      await store.getState().save();
      return isUnsaved(store.getState());
    },
    [store],
  );
  const leaving = useBlocker({ shouldBlockFn, enableBeforeUnload: mustAsk, withResolver: true });
  if (leaving.status !== "blocked") return null;
  return (
    <Confirm
      title={t("editor.leaveTitle")}
      text={t("editor.leaveText")}
      action={t("editor.leaveAction")}
      busy={false}
      error={undefined}
      onConfirm={leaving.proceed}
      onClose={leaving.reset}
    />
  );
}
