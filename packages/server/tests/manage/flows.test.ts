import { afterAll, beforeAll } from "vitest";
import { start, stop } from "./flows/support.ts";
import "./flows/versions.ts";
import "./flows/drafts.ts";
import "./flows/life.ts";

// One service for all of them.
beforeAll(start);
afterAll(stop);
