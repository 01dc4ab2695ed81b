import { diskAnswer } from "@millrace/contract/manage/service";
import { tell } from "../../../operations/doctor/finding.ts";
import { examineRoom } from "../../../operations/service/examine-room.ts";
import { type ContextOf, defineRoute } from "../../route.ts";

export const examineDiskRoute = (context: ContextOf<typeof examineRoom>) =>
  defineRoute({
    method: "GET",
    path: "/manage/disk",
    name: "examineDisk",
    summary: "Get what the doctor says of disk, growth and old transactions",
    tag: "Manage",
    access: "key",
    role: "owner",
    answers: { 200: { description: "Findings, at most five seconds old", schema: diskAnswer } },
    errors: [],
    async handle({ locale }) {
      const findings = await examineRoom(context);
      return {
        status: 200,
        body: { success: true, data: { data: findings.map((finding) => tell(finding, locale)) } },
      };
    },
  });
