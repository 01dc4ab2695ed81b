import type { AddMemberBody, ChangeMemberBody, MembersQuery } from "@millrace/contract/manage/members";
import type { Actor } from "../../domain/actor.ts";
import { type Page, toPageRequest } from "../../domain/cursor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { pageById } from "../../domain/page-by-id.ts";
import { organizationFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import {
  addMembership,
  addUser,
  listMembers as readMembers,
  lockOwners,
  type MemberRecord,
  removeMembership,
  setRole,
} from "../../storage/members/members.ts";
import { type Db, type Pool, transaction } from "../../storage/pool.ts";
import { recordAudit } from "../audit/record-audit.ts";

export type { MemberRecord };

export interface MemberContext {
  readonly pool: Pool;
  readonly ids: IdMaker;
}

export async function listMembers(
  { pool }: MemberContext,
  principal: Principal,
  query: MembersQuery,
): Promise<Page<MemberRecord>> {
  const organizationId = organizationFor(principal, query.organizationId, "viewer");
  return pageById(toPageRequest("members", query), await readMembers(pool, organizationId));
}

export async function addMember(
  { pool, ids }: MemberContext,
  principal: Principal,
  actor: Actor,
  { userId, email, name, role, ...asked }: AddMemberBody,
): Promise<MemberRecord> {
  const organizationId = organizationFor(principal, asked.organizationId, "owner");
  return transaction(pool, async (db) => {
    if (!(await addUser(db, { id: userId, email, name }))) throw new Refusal("user_mismatch");
    if (!(await addMembership(db, organizationId, userId, role))) throw new Refusal("member_exists");
    const change = { organizationId, action: "member.add", target: userId, after: { email, role } };
    await recordAudit({ db, ids }, actor, change);
    return member(db, organizationId, userId);
  });
}

export async function changeMember(
  { pool, ids }: MemberContext,
  principal: Principal,
  actor: Actor,
  userId: string,
  { role, ...asked }: ChangeMemberBody,
): Promise<MemberRecord> {
  const organizationId = organizationFor(principal, asked.organizationId, "owner");
  return transaction(pool, async (db) => {
    const owners = await lockOwners(db, organizationId);
    const before = await member(db, organizationId, userId);
    if (before.role === role) return before;
    refuseLastOwner(owners, userId);
    await setRole(db, organizationId, userId, role);
    await recordAudit({ db, ids }, actor, {
      organizationId,
      action: "member.change",
      target: userId,
      before: { role: before.role },
      after: { role },
    });
    return { ...before, role };
  });
}

/** Their keys and sessions for the organization end with the membership. */
export async function removeMember(
  { pool, ids }: MemberContext,
  principal: Principal,
  actor: Actor,
  userId: string,
  asked: { readonly organizationId?: string | undefined },
): Promise<void> {
  const organizationId = organizationFor(principal, asked.organizationId, "owner");
  await transaction(pool, async (db) => {
    const owners = await lockOwners(db, organizationId);
    const { email, role } = await member(db, organizationId, userId);
    refuseLastOwner(owners, userId);
    await removeMembership(db, organizationId, userId);
    const change = { organizationId, action: "member.remove", target: userId, before: { email, role } };
    await recordAudit({ db, ids }, actor, change);
  });
}

async function member(db: Db, organizationId: string, userId: string): Promise<MemberRecord> {
  const [found] = await readMembers(db, organizationId, userId);
  if (!found) throw new Refusal("member_not_found");
  return found;
}

function refuseLastOwner(owners: readonly string[], userId: string): void {
  if (owners.length === 1 && owners[0] === userId) throw new Refusal("last_owner");
}
