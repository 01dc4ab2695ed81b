import { useEffect, useState } from "react";

const DEBOUNCE_MS = 400;

interface Settled<Value> {
  readonly value: Value;
  /** A number for it: a large value makes a slow key. */
  readonly change: number;
}

/** A value once nobody has changed it for a moment. */
export function useSettled<Value>(value: Value): Settled<Value> {
  const [settled, setSettled] = useState<Settled<Value>>({ value, change: 0 });
  useEffect(() => {
    const timer = setTimeout(
      () => setSettled((now) => (now.value === value ? now : { value, change: now.change + 1 })),
      DEBOUNCE_MS,
    );
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
