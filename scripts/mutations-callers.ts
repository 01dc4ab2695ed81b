import type { Guard } from "./mutants.ts";

const http = (name: string) => `src/http/${name}.ts`;

/** Guards of what callers can do together, or on one connection, most of them without a key. */
export const callerGuards: readonly Guard[] = [
  {
    name: "callers: bodies of many values are few at once",
    file: http("answer-room"),
    cut: [["this.#share.used === 0 || this.#share.roomFor(organizationId) >= places", "true"]],
    suites: ["http/parsed-bodies.test.ts › are few at once"],
  },
  {
    name: "callers: whoever waits for room and has gone leaves",
    file: http("answer-room"),
    cut: [["if (!guest.isInside) return this.#giveUp(guest);", "if (!guest.isInside) return;"]],
    suites: ["http/parsed-bodies.test.ts › where the caller has gone"],
  },
  {
    name: "callers: few wait for room",
    file: http("answer-room"),
    cut: [["answer.destroyed || !this.#mayWait(guest)", "answer.destroyed"]],
    suites: ["http/answer-room.test.ts › refuses at once"],
  },
  {
    name: "callers: answers that nobody reads are few",
    file: http("large-answers"),
    cut: [["await unsent.enter(caller, length, reply.raw);", ""]],
    suites: ["http/unread-answers.test.ts › that nobody reads"],
  },
  {
    name: "callers: slow readers are ended",
    file: http("large-answers"),
    cut: [["endSlowReader(reply.raw, length);", ""]],
    suites: ["http/large-answers.test.ts › too slowly"],
  },
  {
    name: "callers: a long text is cut between characters",
    file: http("large-answers"),
    cut: [["endOfCharacter(text, at + encodedInATurn)", "at + encodedInATurn"]],
    suites: ["http/large-answers.test.ts › wherever it is cut"],
  },
  {
    name: "callers: large rows come in a few at a time",
    file: "src/storage/large-arrivals.ts",
    cut: [["stream.pause();", ""]],
    suites: ["storage/large-arrivals.test.ts › two at a time"],
  },
  {
    name: "callers: a turn begins few requests",
    file: http("request-turns"),
    cut: [["requests.inTurn(() => {", "queueMicrotask(() => {"]],
    suites: ["http/request-turns.test.ts › on many connections"],
  },
  {
    name: "callers: of one connection requests begin one after the other",
    file: http("request-turns"),
    cut: [["if (response.socket !== null) return begin", "return begin"]],
    suites: ["http/request-turns.test.ts › one after the other"],
  },
  {
    name: "callers: nothing is read while requests wait",
    file: http("request-turns"),
    cut: [["    hold(enoughBytes);\n", ""]],
    suites: ["http/request-turns.test.ts › are not read on"],
  },
  {
    name: "callers: requests that wait on all connections are few",
    file: http("request-turns"),
    cut: [["      endConnection(socket);\n", ""]],
    suites: ["http/request-turns.test.ts › are too many"],
  },
  {
    name: "callers: a turn hears of few requests",
    file: http("request-turns"),
    cut: [["      socket.pause();\n", ""]],
    suites: ["http/request-turns.test.ts › a few connections at a time"],
  },
  {
    name: "callers: connections with many requests end one by one",
    file: http("paced-endings"),
    cut: [["1 + waitingOn(socket)", "1"]],
    suites: ["http/paced-endings.test.ts › one by one"],
  },
  {
    name: "callers: what goes on counts with what it takes",
    file: "src/lifecycle/turn-share.ts",
    cut: [["Math.max(each, this.#taken - before)", "each"]],
    suites: ["lifecycle/turn-share.test.ts › have taken"],
  },
  {
    name: "callers: connections have a limit",
    file: http("shared-connections"),
    cut: [["if (!this.#share.take(network)) {", "if (this.#share.take(network) && false) {"]],
    suites: ["http/shared-connections.test.ts › are as many"],
  },
  {
    name: "callers: connections that have ended make room",
    file: http("shared-connections"),
    cut: [['socket.once("close", () => this.#share.giveBack(network));', ""]],
    suites: ["http/shared-connections.test.ts › make room"],
  },
  {
    name: "callers: figures are made once for all who ask",
    file: http("routes/service"),
    cut: [["underWay ??= make()", "underWay = make()"]],
    suites: ["http/probes.test.ts › is answered once"],
  },
  {
    name: "callers: figures are sent in several turns",
    file: http("routes/service"),
    cut: [['await eventLoop.giveWay("", SENDING_MS);', ""]],
    suites: ["http/probes.test.ts › in several turns"],
  },
];
