// Loaded before anything else by a process under test: its calendar is wrong by SKEW_MS, its stopwatch is not.
const skewMs = Number(process.env["SKEW_MS"]);
const RealDate = Date;

class SkewedDate extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length === 0) super(RealDate.now() + skewMs);
    else super(...(parts as [number]));
  }

  static override now(): number {
    return RealDate.now() + skewMs;
  }
}

globalThis.Date = SkewedDate as DateConstructor;
