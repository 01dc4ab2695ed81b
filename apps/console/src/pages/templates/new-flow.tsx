import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useCreateFlow } from "../../api/create-flow.ts";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ErrorNote } from "../../ui/notes.tsx";

/** A flow from nothing: it gets a name, and opens in the editor. */
export function NewFlowButton(): ReactNode {
  const t = useT();
  const [open, setOpen] = useState(false);
  if (!mayAct("admin")) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {t("flows.new")}
      </button>
      {open && <NewFlowDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function NewFlowDialog({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const form = useId();
  const [name, setName] = useState("");
  const create = useCreateFlow();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name: name.trim() });
  };
  return (
    <Dialog
      title={t("flows.new")}
      onClose={onClose}
      footer={
        <button
          type="submit"
          form={form}
          className="primary"
          disabled={create.isPending || name.trim() === ""}
        >
          {t("flows.create")}
        </button>
      }
    >
      <form id={form} onSubmit={submit}>
        <Field
          label={t("flows.name")}
          help={t("flows.newHelp")}
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
      {create.error && <ErrorNote error={create.error} />}
    </Dialog>
  );
}
