import { lazy, type ReactNode, Suspense, useState } from "react";
import { mayAct } from "../../../lib/session.ts";
import { useT } from "../../../texts/texts.tsx";
import { useEditor } from "../use-editor.ts";

const PublishDialog = lazy(async () => ({ default: (await import("./publish-dialog.tsx")).PublishDialog }));

export function PublishButton(): ReactNode {
  const t = useT();
  const [open, setOpen] = useState(false);
  const [published, setPublished] = useState<string>();
  const isReadOnly = useEditor((state) => state.isReadOnly);
  if (!mayAct("admin") || isReadOnly) return null;
  return (
    <>
      <span role="status" className="small muted">
        {published !== undefined && t("publish.done", { version: published })}
      </span>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        {t("publish.button")}
      </button>
      {open && (
        <Suspense>
          <PublishDialog
            onClose={() => setOpen(false)}
            onPublished={(version) => {
              setPublished(version);
              setOpen(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
