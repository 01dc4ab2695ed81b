import type { Invariant } from "./invariant.ts";

/** No process ends unless it is told to, and no caller is answered 500. */
export const processes: Invariant = {
  number: 17,
  name: "Processes and answers",
  check({ world }) {
    const { fleet, history } = world;
    const errors = history.operations.filter(({ status }) => status === 500);
    return {
      checked: `${fleet.everStarted.length} processes, ${history.operations.length} answers`,
      violations: [
        ...fleet.deaths.map(({ instance, how }) => `${instance} ended by itself: ${how}`),
        ...errors.map(
          ({ id, kind, answer }) => `${id} (${kind}) was answered 500: ${JSON.stringify(answer)}`,
        ),
      ],
    };
  },
};
