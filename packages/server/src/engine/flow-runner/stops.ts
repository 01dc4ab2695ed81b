import { TurnShare } from "../../lifecycle/turn-share.ts";

/**
 * Thousands of nodes may be stopped in the same moment, by the end of their run or of their time. That each of them has ended
 * is known at once; what it waits for, which takes up to 300 µs to end, ends so many in one turn.
 */
export const stops = new TurnShare({ most: 25, each: 1 });

/** What a node that was stopped rejects with. One for all: to make one takes longer than to end most of what they wait for. */
export const HALTED = new DOMException("The node was stopped", "AbortError");
