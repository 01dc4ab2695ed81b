import { afterAll, beforeAll } from "vitest";
import { start, stop } from "./approval-page/support.ts";
import "./approval-page/page.ts";
import "./approval-page/answers.ts";
import "./approval-page/resume-url.ts";

// One service for all of them.
beforeAll(start);
afterAll(stop);
