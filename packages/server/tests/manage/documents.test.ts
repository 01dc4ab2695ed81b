import { afterAll, beforeAll } from "vitest";
import { start, stop } from "./documents/support.ts";
import "./documents/plan-and-apply.ts";
import "./documents/bounds.ts";
import "./documents/export.ts";

// One service for all of them.
beforeAll(start);
afterAll(stop);
