/** What a node that was stopped rejects with. One for all: to make one takes longer than to end most of what they wait for. */
export const HALTED = new DOMException("The node was stopped", "AbortError");
