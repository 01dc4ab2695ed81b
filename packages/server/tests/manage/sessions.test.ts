import { afterAll, beforeAll } from "vitest";
import { start, stop } from "./sessions/support.ts";
import "./sessions/sign-in.ts";
import "./sessions/cookie.ts";
import "./sessions/life.ts";

// One service for all of them.
beforeAll(start);
afterAll(stop);
