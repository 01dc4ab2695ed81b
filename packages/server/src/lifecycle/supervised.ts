/** What a service process says to the supervisor that has started it, if one has. */
export interface Supervisor {
  /** Whom to stop to stop all of it. */
  readonly pid: number;
  tell(state: "starting" | "running"): void;
}

/** At the other end of the IPC channel; bin/millrace.js stops this process when the channel is closed. */
export function supervisorOf(service: NodeJS.Process): Supervisor {
  if (!service.connected) return { pid: service.pid, tell: () => {} };
  return {
    pid: service.ppid,
    tell: (state) => void service.send?.(state, undefined, undefined, () => {}),
  };
}
