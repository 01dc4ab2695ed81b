import { TurnShare } from "../../lifecycle/turn-share.ts";

/**
 * Thousands of nodes may be stopped at the same moment, because their run ends or their time is up. Each counts as stopped at
 * once; what it waits for takes up to 300 µs to end, so only so many end in one turn.
 */
export const stops = new TurnShare({ most: 25, each: 1 });

/** What a node that was stopped rejects with. One for all: to make one takes longer than to end most of what they wait for. */
export const HALTED = new DOMException("The node was stopped", "AbortError");
