import type { Invariant } from "./invariant.ts";

/** Never more slots than the limit, none left at the end, and nobody waits 2 s beside a free slot. */
export const slots: Invariant = {
  number: 6,
  name: "Slots",
  check({ samples, runs }) {
    const left = [...runs.values()].filter(({ holdsSlot }) => holdsSlot);
    return {
      checked: `${samples.taken} samples; ${samples.waitsSeen} waits seen, ${samples.waitsExcused} under a fault`,
      violations: [
        ...samples.overLimit,
        ...samples.idleSlots,
        ...left.map(({ id, status }) => `${id} (${status}) still holds a slot at the end`),
      ],
    };
  },
};
