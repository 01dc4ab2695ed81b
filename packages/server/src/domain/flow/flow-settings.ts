import { type FlowSettings, flowSettingNames } from "@millrace/contract/documents/flow";

/** What a document says beside its graph, in one order, whatever the document's. */
export function settingsOf(document: FlowSettings): FlowSettings {
  return Object.fromEntries(
    flowSettingNames.flatMap((name) => (document[name] === undefined ? [] : [[name, document[name]]])),
  );
}
