import type { CallOptions, Transport } from "../transport.ts";
import type { DiskCheck, ManagedDuty, ManagedProcess } from "../wire.ts";

/** The service itself. */
export class ManagedService {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The processes of the service, living ones first. */
  async processes(options: CallOptions = {}): Promise<readonly ManagedProcess[]> {
    return (await this.#transport.data<{ data: ManagedProcess[] }>("GET", "/manage/processes", options)).data;
  }

  /** Background duties of the process that answers. */
  async duties(options: CallOptions = {}): Promise<readonly ManagedDuty[]> {
    return (await this.#transport.data<{ data: ManagedDuty[] }>("GET", "/manage/duties", options)).data;
  }

  /** Whether the disk has room. */
  async disk(options: CallOptions = {}): Promise<readonly DiskCheck[]> {
    return (await this.#transport.data<{ data: DiskCheck[] }>("GET", "/manage/disk", options)).data;
  }
}
