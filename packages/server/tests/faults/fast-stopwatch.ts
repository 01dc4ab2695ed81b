// Loaded before anything else by a process under test: its stopwatch runs STOPWATCH_RATE times as fast as time.
const rate = Number(process.env["STOPWATCH_RATE"]);
const real = performance.now.bind(performance);
const start = real();

Object.defineProperty(performance, "now", { value: () => start + (real() - start) * rate });
