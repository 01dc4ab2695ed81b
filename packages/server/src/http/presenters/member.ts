import type { ManagedMember } from "@millrace/contract/manage/members";
import type { MemberRecord } from "../../operations/members/manage-members.ts";

export function presentMember({ id, email, name, role, disabled }: MemberRecord): ManagedMember {
  return { userId: id, email, name, role, disabled };
}
