import { z } from "zod";
import { eventKinds } from "../event-kinds.ts";
import { designId } from "../ids.ts";
import { closedObject } from "./closed-object.ts";
import { httpUrl, organizationId } from "./fields.ts";

const families = [...new Set(eventKinds.map((kind) => `${kind.split(".")[0]}.*`))];

export const eventEndpointDocument = closedObject({
  kind: z.literal("EventEndpoint"),
  id: designId,
  organizationId,
  url: httpUrl.describe("Receives the signed events."),
  events: z
    .array(
      z.enum(
        ["*", ...families, ...eventKinds],
        `must be one of *, ${[...families, ...eventKinds].join(", ")}`,
      ),
    )
    .min(1, "must name at least one event")
    .max(100),
});

export type EventEndpointDocument = z.infer<typeof eventEndpointDocument>;
