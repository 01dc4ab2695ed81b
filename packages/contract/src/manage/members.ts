import { z } from "zod";
import { safeText, success } from "../envelope.ts";
import { designId } from "../ids.ts";
import { pageQuery } from "../paging.ts";
import { managedList, organizationScope, role } from "./managed.ts";

export const membersQuery = z.object({ ...organizationScope, ...pageQuery });
export type MembersQuery = z.infer<typeof membersQuery>;

export const managedMember = z.strictObject({
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  role,
  disabled: z.boolean().describe("true: none of the user's keys and sessions works, in any organization"),
});
export type ManagedMember = z.infer<typeof managedMember>;
export const membersAnswer = managedList(managedMember);

export const addMemberBody = z.strictObject({
  ...organizationScope,
  userId: designId,
  email: z.email("must be an e-mail address").max(254),
  name: safeText.min(1).max(200),
  role: role.default("member"),
});
export type AddMemberBody = z.infer<typeof addMemberBody>;

export const changeMemberBody = z.strictObject({ ...organizationScope, role });
export type ChangeMemberBody = z.infer<typeof changeMemberBody>;

export const memberQuery = z.object({ ...organizationScope });
export const memberAnswer = success(managedMember);
export const memberRemovedAnswer = success(z.strictObject({ userId: z.string(), removed: z.literal(true) }));
