import type { ReactNode } from "react";
import { useT } from "../texts/texts.tsx";
import { Dialog } from "./dialog.tsx";
import { ErrorNote } from "./notes.tsx";

/** Asks before something that cannot be taken back. */
export function Confirm(props: {
  title: string;
  text: string;
  action: string;
  /** Of the button that does nothing. */
  back?: string;
  busy: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  return (
    <Dialog
      title={props.title}
      onClose={props.onClose}
      footer={
        <>
          <button type="button" onClick={props.onClose}>
            {props.back ?? t("action.back")}
          </button>
          <button type="button" className="danger" disabled={props.busy} onClick={props.onConfirm}>
            {props.action}
          </button>
        </>
      }
    >
      <p>{props.text}</p>
      {props.error != null && <ErrorNote error={props.error} />}
    </Dialog>
  );
}
