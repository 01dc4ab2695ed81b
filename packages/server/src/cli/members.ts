import { type Command, Option } from "commander";
import { type Role, roles } from "../domain/role.ts";
import type { CliDependencies } from "./cli.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";

interface Flags extends ServiceFlags {
  readonly org?: string;
}

export function registerMembers(program: Command, dependencies: CliDependencies): void {
  const members = program.command("members").description("list, add, change and remove members");
  const command = (usage: string, summary: string, example: string) =>
    addServiceCommand(members, usage, summary, `members ${example}`).option(
      "--org <id>",
      "the organization, where the key reaches several",
    );
  const role = () => new Option("--role <role>", "what the member may do").choices(roles);
  command("list", "list members and their roles", "list").action((flags: Flags) => list(dependencies, flags));
  command(
    "add <userId>",
    "make somebody a member",
    "add user_eve --email eve@example.com --name Eve --role admin",
  )
    .requiredOption("--email <address>", "e-mail address")
    .requiredOption("--name <name>", "name")
    .addOption(role().default("member"))
    .action((userId: string, flags: Flags & { email: string; name: string; role: Role }) =>
      add(dependencies, userId, flags),
    );
  command("role <userId>", "change the role of a member", "role user_eve --role viewer")
    .addOption(role().makeOptionMandatory())
    .action((userId: string, flags: Flags & { role: Role }) => change(dependencies, userId, flags));
  command(
    "remove <userId>",
    "remove a member; keys and sessions end with the membership",
    "remove user_eve",
  ).action((userId: string, flags: Flags) => remove(dependencies, userId, flags));
}

async function list(dependencies: CliDependencies, flags: Flags): Promise<void> {
  const request = { organizationId: flags.org, pageSize: 100 };
  const page = await withService(dependencies, flags, ({ manage }) => manage.members(request));
  if (flags.json) return dependencies.stdout(JSON.stringify(page));
  dependencies.stdout(
    table(
      page.data.map(({ userId, email, name, role, disabled }) => ({
        id: userId,
        email,
        name,
        role,
        disabled,
      })),
    ),
  );
}

async function add(
  dependencies: CliDependencies,
  userId: string,
  flags: Flags & { email: string; name: string; role: Role },
): Promise<void> {
  const { org, email, name, role, json } = flags;
  const body = { organizationId: org, userId, email, name, role };
  const member = await withService(dependencies, flags, ({ manage }) => manage.addMember(body));
  dependencies.stdout(json ? JSON.stringify(member) : `${userId} is a member now (${member.role}).`);
}

async function change(
  dependencies: CliDependencies,
  userId: string,
  flags: Flags & { role: Role },
): Promise<void> {
  const body = { organizationId: flags.org, role: flags.role };
  const member = await withService(dependencies, flags, ({ manage }) => manage.changeMember(userId, body));
  dependencies.stdout(flags.json ? JSON.stringify(member) : `${userId} is ${member.role} now.`);
}

async function remove(dependencies: CliDependencies, userId: string, flags: Flags): Promise<void> {
  const request = { organizationId: flags.org };
  const removed = await withService(dependencies, flags, ({ manage }) =>
    manage.removeMember(userId, request),
  );
  dependencies.stdout(flags.json ? JSON.stringify(removed) : `${userId} is a member no longer.`);
}
