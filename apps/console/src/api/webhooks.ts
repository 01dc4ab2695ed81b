export interface ManagedWebhook {
  readonly flowId: string;
  readonly enabled: boolean;
  readonly url: string;
}

export const WEBHOOKS = "/manage/webhooks";
