import type { Arena, Round } from "../arena/arena.ts";
import { delayedRunsAreCounted } from "./delayed-runs.ts";
import {
  answersForThousands,
  manyHeadersAtOnce,
  packetsThatNobodyWaitsFor,
  requestsInOnePacket,
  thousandsOfConnections,
  thousandsWithOneKey,
} from "./floods.ts";
import { lateRequestsAreAnswered } from "./late-requests.ts";
import { manyAskForLargeValues, nobodyReadsLargeAnswers } from "./large-answers.ts";
import { thousandsOfServersHang } from "./many-origins.ts";
import { mailHasFewRecipients } from "./mail-recipients.ts";
import { neighboursGetReplies } from "./neighbours-replies.ts";
import { nodesStopAtOnce } from "./nodes-stop.ts";
import { readersDieAtOnce } from "./readers-die.ts";
import { secretsOfTheServiceStay, shortTagsAreRefused } from "./secrets.ts";
import { socketsOfOthersAreRefused } from "./socket-directory.ts";
import { suspensionEndsLinks } from "./suspended-links.ts";
import { goodKeysKeepWorking } from "./good-keys.ts";

/** Returns what is wrong. */
export type Check = (arena: Arena, round: Round) => Promise<string[]>;

export const slowChecks: ReadonlySet<string> = new Set([
  "hanging replies of one organization leave room for another",
  "thousands of readers may die at once",
  "thousands of requests may be late at once",
  "thousands of nodes may be stopped at once",
  "thousands of requests may come in one packet",
  "thousands of requests may end with their connections",
  "thousands may ask for /metrics at once",
  "thousands may ask for /readyz at once",
  "thousands may ask for /docs at once",
  "thousands may ask for what does not exist at once",
  "thousands may ask with one key at once",
  "many headers may come at once",
  "there may be thousands of connections",
  "thousands of servers may be called at once",
  "many may ask for large values at once",
  "large answers may stay unread",
]);

/** Promises that were broken once without a stall: nobody is locked out, no limit can be walked around. */
export const checks: Readonly<Record<string, Check>> = {
  "a good key works whatever its address does": goodKeysKeepWorking,
  "the service's own variables are no secrets of documents": secretsOfTheServiceStay,
  "one text is no list of recipients": mailHasFewRecipients,
  "hanging replies of one organization leave room for another": neighboursGetReplies,
  "thousands of readers may die at once": readersDieAtOnce,
  "thousands of requests may be late at once": lateRequestsAreAnswered,
  "thousands of nodes may be stopped at once": nodesStopAtOnce,
  "thousands of requests may come in one packet": requestsInOnePacket,
  "thousands of requests may end with their connections": packetsThatNobodyWaitsFor,
  "thousands may ask for /metrics at once": answersForThousands("/metrics"),
  "thousands may ask for /readyz at once": answersForThousands("/readyz"),
  "thousands may ask for /docs at once": answersForThousands("/docs"),
  "thousands may ask for what does not exist at once": answersForThousands("/nowhere", "404"),
  "many headers may come at once": manyHeadersAtOnce,
  "thousands may ask with one key at once": thousandsWithOneKey,
  "there may be thousands of connections": thousandsOfConnections,
  "thousands of servers may be called at once": thousandsOfServersHang,
  "many may ask for large values at once": manyAskForLargeValues,
  "large answers may stay unread": nobodyReadsLargeAnswers,
  "a socket directory of another user is refused": socketsOfOthersAreRefused,
  "delayed runs count as queued": delayedRunsAreCounted,
  "short authentication tags are refused": shortTagsAreRefused,
  "links end with a suspension": suspensionEndsLinks,
};
