import type { Schedule } from "@millrace/client";
import { useManagedList } from "./manage.ts";

export type { Schedule };
export const SCHEDULES = "/manage/schedules";

export function useSchedules() {
  return useManagedList<Schedule>(SCHEDULES, { "page[size]": 100 });
}
