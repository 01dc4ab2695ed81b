/**
 * What the generator may use. A feature that the service does not have yet is switched off here, under the rule of the
 * semantics that it stands for, so that everything else can be tortured meanwhile.
 */
export const features = {
  /** 1: what failed and was handled is never executed again, and attempts are remembered. */
  remembersFailures: true,
  /** 2: time and chance are part of the memory, and who was first. */
  remembersChance: true,
  remembersWinners: true,
  /** 3: items of a loop that chance made stay what they were. */
  freezesRounds: true,
  /** 4: interrupted executions have a record. */
  recordsInterruptions: true,
  /** 11: time limits of containers and pauses. */
  timesOutContainers: true,
  timesOutPauses: true,
  /** 12: run-flow is retried. */
  retriesChildren: true,
  /** 9, 18: a deliberate `fail` ends the flow wherever it stands, and is not tried again. */
  failsForGood: true,
  /** 13, 14: code and expressions in the sandbox wait for their turn, however many there are. */
  sandboxUnderLoad: true,
  /** 17: children that are waited for end with their parent. */
  cancelsChildren: true,
  /** 19: an answer names its wait by the node's key, and a second one is refused. */
  answersByKey: true,
  /** 24: a list where a list is wanted. */
  takesSingleItems: true,
};
