const NODE_WIDTH = 190;
const CHARACTER_WIDTH = 6;

/** Where along a node's lower edge a way out leaves it: 0 to 1, side by side. */
export function wayPlace(index: number, ways: number): number {
  return (index + 0.5) / ways;
}

/** As much of a way's name as there is room for between those beside it. */
export function wayName(handle: string, ways: number): string {
  const room = Math.max(4, Math.floor(NODE_WIDTH / Math.max(1, ways) / CHARACTER_WIDTH));
  return handle.length <= room ? handle : `${handle.slice(0, room - 1)}…`;
}
