import type { Cluster } from "../support/cluster.ts";
import type { HttpRequest } from "../support/http-connection.ts";
import type { PackageSet } from "./versions.ts";

/** What a peer is given to live in. */
interface Place {
  readonly cluster: Cluster;
  /** Where its packages are installed; empty for Millrace. */
  readonly packages: string;
  /** For its data; removed at the end. */
  readonly data: string;
}

/** Something that executes the same three steps for a request over HTTP and keeps what it did. */
export interface Peer {
  readonly name: string;
  /** What is measured, for the table. */
  readonly summary: string;
  readonly packages?: PackageSet;
  /** Millrace is meant to be so many times as fast. */
  readonly bar?: number;
  /** Makes databases and whatever is made once. */
  prepare(place: Place): Promise<PreparedPeer>;
}

export interface PreparedPeer {
  /** Its processes, ready for requests; nothing of the others runs meanwhile. */
  start(): Promise<RunningPeer>;
}

export interface RunningPeer {
  readonly port: number;
  readonly request: HttpRequest;
  /** Executions that are done by the peer's own durable record. */
  countCompleted(): Promise<number>;
  /** Anything worth knowing about the last load, for the table. */
  note?(): Promise<string>;
  /** Statistics for the planner, where there is one. */
  analyze?(): Promise<void>;
  stop(): Promise<void>;
}
