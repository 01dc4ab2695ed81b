import { MillraceClient, type Identity } from "@millrace/client";
import millrace = require("@millrace/client");

export const who = (apiKey: string): Promise<Identity> =>
  new MillraceClient({ baseUrl: "http://127.0.0.1", apiKey }).validate();
export const same: boolean = millrace.MillraceClient === MillraceClient;
