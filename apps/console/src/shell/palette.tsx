import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useFlows } from "../api/flows.ts";
import { useT } from "../texts/texts.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { navigation } from "./navigation.ts";
import styles from "./palette.module.css";

interface Choice {
  readonly id: string;
  readonly text: string;
  readonly detail: string;
  readonly icon: IconName;
  readonly go: () => Promise<void>;
}

const MAX_CHOICES = 12;

/** Type where to go: a page, a flow, the id of a run, or a tag. */
export function Palette({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const [text, setText] = useState("");
  const [selected, setSelected] = useState(0);
  const choices = useChoices(text);
  const current = choices[Math.min(selected, choices.length - 1)];

  useEffect(() => {
    const element = dialog.current!;
    if (!element.open) element.showModal();
    return () => element.close();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move && choices.length > 0) {
      event.preventDefault();
      setSelected((Math.min(selected, choices.length - 1) + move + choices.length) % choices.length);
    } else if (event.key === "Enter" && current) {
      event.preventDefault();
      choose(current);
    }
  };
  const choose = (choice: Choice) => {
    onClose();
    void choice.go();
  };

  return (
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={t("palette.open")}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={styles.field}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={current && `${list}-${current.id}`}
          aria-label={t("palette.open")}
          placeholder={t("palette.placeholder")}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setSelected(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul id={list} role="listbox" aria-label={t("palette.open")} className={styles.list}>
        {choices.map((choice) => (
          <li
            key={choice.id}
            id={`${list}-${choice.id}`}
            role="option"
            aria-selected={choice === current}
            className={styles.choice}
            onMouseMove={() => setSelected(choices.indexOf(choice))}
            onClick={() => choose(choice)}
          >
            <Icon name={choice.icon} />
            <span className={styles.text}>{choice.text}</span>
            <span className={styles.detail}>{choice.detail}</span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}

function useChoices(text: string): Choice[] {
  const t = useT();
  const navigate = useNavigate();
  const flows = useFlows().data ?? [];
  const wanted = text.trim().toLowerCase();
  const id = /^(?:run|rh|queue)_([A-Za-z0-9]{1,60})$/.exec(text.trim())?.[1];
  const all: Choice[] = [
    ...(id === undefined
      ? []
      : [
          {
            id: "run",
            text: `run_${id}`,
            detail: t("palette.run"),
            icon: "runs" as const,
            go: () => navigate({ to: "/runs/$runId", params: { runId: `run_${id}` } }),
          },
        ]),
    ...navigation()
      .flat()
      .map(({ to, text: name, icon }) => ({
        id: to.slice(1),
        text: t(name),
        detail: t("palette.page"),
        icon,
        go: () => navigate({ to }),
      })),
    ...flows.map((flow) => ({
      id: flow.id,
      text: flow.name,
      detail: flow.id,
      icon: "flows" as const,
      go: () => navigate({ to: "/flows/$flowId", params: { flowId: flow.id } }),
    })),
  ];
  const tag = text.trim();
  return [
    ...all
      .filter(({ id, text, detail }) => id === "run" || `${text} ${detail}`.toLowerCase().includes(wanted))
      .slice(0, MAX_CHOICES),
    ...(tag === "" || id !== undefined
      ? []
      : [
          {
            id: "tag",
            text: tag,
            detail: t("palette.tag"),
            icon: "search" as const,
            go: () => navigate({ to: "/runs", search: { tag } }),
          },
        ]),
  ];
}
