import { noteLost, noteReached } from "../lib/connection.ts";

const REOPEN_MS = 5_000;

export interface LiveSource {
  close(): void;
}

/**
 * An event stream that is opened again whatever ended it. The browser does so by itself where a connection breaks, and
 * gives up where something on the way answers in the service's place.
 */
export function openSource(path: string, listen: (source: EventSource) => void): LiveSource {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  open();
  return {
    close() {
      clearTimeout(timer);
      source.close();
    },
  };

  function open(): void {
    source = new EventSource(path);
    source.addEventListener("open", noteReached);
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS);
      else noteLost();
    });
    listen(source);
  }
}
