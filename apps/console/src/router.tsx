import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { takeUpSession } from "./api/session.ts";
import { readSession } from "./lib/session.ts";
import {
  agentSearch,
  auditSearch,
  compareSearch,
  editSearch,
  flowSearch,
  loginSearch,
  runSearch,
  runsSearch,
  webhooksSearch,
} from "./search.ts";
import { NotFound, NowhereFound, PageError } from "./shell/faults.tsx";
import { Shell } from "./shell/shell.tsx";

const root = createRootRoute({ notFoundComponent: NowhereFound, errorComponent: PageError });

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: loginSearch,
  component: lazyRouteComponent(() => import("./pages/login/login-page.tsx"), "LoginPage"),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: PageError,
  async beforeLoad({ location }) {
    if (!readSession() && !(await takeUpSession()))
      throw redirect({ to: "/login", search: { next: location.pathname + location.searchStr } });
  },
});

const inShell = () => shell;

const home = createRoute({
  getParentRoute: inShell,
  path: "/",
  beforeLoad() {
    throw redirect({ to: "/runs", replace: true });
  },
});

const runs = createRoute({
  getParentRoute: inShell,
  path: "/runs",
  validateSearch: runsSearch,
  component: lazyRouteComponent(() => import("./pages/runs/runs-page.tsx"), "RunsPage"),
});

const run = createRoute({
  getParentRoute: inShell,
  path: "/runs/$runId",
  validateSearch: runSearch,
  component: lazyRouteComponent(() => import("./pages/run/run-page.tsx"), "RunPage"),
});

const compare = createRoute({
  getParentRoute: inShell,
  path: "/compare",
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => import("./pages/compare/compare-page.tsx"), "ComparePage"),
});

const flows = createRoute({
  getParentRoute: inShell,
  path: "/flows",
  component: lazyRouteComponent(() => import("./pages/flows/flows-page.tsx"), "FlowsPage"),
});

const templates = createRoute({
  getParentRoute: inShell,
  path: "/templates",
  component: lazyRouteComponent(() => import("./pages/templates/templates-page.tsx"), "TemplatesPage"),
});

const flow = createRoute({
  getParentRoute: inShell,
  path: "/flows/$flowId",
  validateSearch: flowSearch,
  component: lazyRouteComponent(() => import("./pages/flow/flow-page.tsx"), "FlowPage"),
});

const edit = createRoute({
  getParentRoute: inShell,
  path: "/flows/$flowId/edit",
  validateSearch: editSearch,
  component: lazyRouteComponent(() => import("./pages/editor/editor-page.tsx"), "EditorPage"),
});

const queue = createRoute({
  getParentRoute: inShell,
  path: "/queue",
  component: lazyRouteComponent(() => import("./pages/queue/queue-page.tsx"), "QueuePage"),
});

const approvals = createRoute({
  getParentRoute: inShell,
  path: "/approvals",
  component: lazyRouteComponent(() => import("./pages/approvals/approvals-page.tsx"), "ApprovalsPage"),
});

const agents = createRoute({
  getParentRoute: inShell,
  path: "/agents",
  component: lazyRouteComponent(() => import("./pages/agents/agents-page.tsx"), "AgentsPage"),
});

const agent = createRoute({
  getParentRoute: inShell,
  path: "/agents/$agentId",
  validateSearch: agentSearch,
  component: lazyRouteComponent(() => import("./pages/agents/agent-page.tsx"), "AgentPage"),
});

const webhooks = createRoute({
  getParentRoute: inShell,
  path: "/webhooks",
  validateSearch: webhooksSearch,
  component: lazyRouteComponent(() => import("./pages/manage/webhooks-page.tsx"), "WebhooksPage"),
});

const schedules = createRoute({
  getParentRoute: inShell,
  path: "/schedules",
  component: lazyRouteComponent(() => import("./pages/manage/schedules-page.tsx"), "SchedulesPage"),
});

const health = createRoute({
  getParentRoute: inShell,
  path: "/health",
  component: lazyRouteComponent(() => import("./pages/manage/health-page.tsx"), "HealthPage"),
});

const keys = createRoute({
  getParentRoute: inShell,
  path: "/keys",
  component: lazyRouteComponent(() => import("./pages/manage/keys-page.tsx"), "KeysPage"),
});

const credentials = createRoute({
  getParentRoute: inShell,
  path: "/credentials",
  component: lazyRouteComponent(() => import("./pages/manage/credentials-page.tsx"), "CredentialsPage"),
});

const members = createRoute({
  getParentRoute: inShell,
  path: "/members",
  component: lazyRouteComponent(() => import("./pages/manage/members-page.tsx"), "MembersPage"),
});

const credits = createRoute({
  getParentRoute: inShell,
  path: "/credits",
  component: lazyRouteComponent(() => import("./pages/manage/credits-page.tsx"), "CreditsPage"),
});

const audit = createRoute({
  getParentRoute: inShell,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./pages/manage/audit-page.tsx"), "AuditPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    shell.addChildren([
      home,
      runs,
      run,
      flows,
      templates,
      flow,
      edit,
      queue,
      approvals,
      agents,
      agent,
      keys,
      credentials,
      members,
      credits,
      audit,
      compare,
      webhooks,
      schedules,
      health,
    ]),
  ]),
  basepath: "/console",
  defaultPreload: "intent",
  defaultPreloadDelay: 80,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NowhereFound,
  scrollRestoration: false,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
