// Loaded into a process before anything else (`node --import`): its wall clock is wrong by CHAOS_CLOCK_SKEW_MS.
// Monotonic time and timers stay right, as on a machine whose date was set wrong.
const skewMs = Number(process.env["CHAOS_CLOCK_SKEW_MS"] ?? 0);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + skewMs] : args, newTarget) as Date,
  apply: () => new RealDate(RealDate.now() + skewMs).toString(),
  get: (target, property, receiver) =>
    property === "now" ? () => RealDate.now() + skewMs : (Reflect.get(target, property, receiver) as unknown),
});
