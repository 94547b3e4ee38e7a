export { modelServer } from "./model-server.ts";
export type { ModelServer, ModelServerOptions } from "./model-server.ts";
export type { GatewayProvider } from "./desk/find-route.ts";
export type { RecordedRequest } from "./desk/record-request.ts";
export { modelServerClient } from "./model-server-client.ts";
export type { ModelServerClient } from "./model-server-client.ts";
export { scriptedModel } from "./model/scripted-model.ts";
export type { ScriptedModel, ScriptedModelOptions } from "./model/scripted-model.ts";
export { workersAiBinding } from "./workers-ai/workers-ai-binding.ts";
export type {
  WorkersAiBinding,
  WorkersAiBindingOptions,
  WorkersAiRunOptions,
} from "./workers-ai/workers-ai-binding.ts";
export { FAULTS } from "./script/fault-examples.ts";
export { parseScript } from "./script/parse-script.ts";
export type {
  CallPart,
  Condition,
  CutPart,
  DelayPart,
  ErrorPart,
  FaultPart,
  PromptCondition,
  RawCallPart,
  RawPart,
  ReasoningPart,
  ResultCondition,
  Script,
  ScriptPart,
  ScriptStep,
  ScriptUsage,
  StallPart,
  TextPart,
} from "./script/script.ts";
export type { EngineEvent, EnginePart, EngineScript, EngineTurnScript } from "./fakes/engine-script.ts";
export type { CommandPart, CommandScript, ExecutorScript } from "./fakes/executor-script.ts";
export { fixedGate } from "./fakes/fixed-gate.ts";
export { manualClock } from "./fakes/manual-clock.ts";
export type { ManualClock } from "./fakes/manual-clock.ts";
export { memoryFileSystem } from "./fakes/memory-file-system.ts";
export { scriptedEngine } from "./fakes/scripted-engine.ts";
export type { ScriptedEngine } from "./fakes/scripted-engine.ts";
export { scriptedExecutor } from "./fakes/scripted-executor.ts";
export type { ScriptedExecutor } from "./fakes/scripted-executor.ts";
