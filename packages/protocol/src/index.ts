export { BINARY_BYTES, isBinary } from "./binary.ts";
export type { Clock } from "./clock.ts";
export type { Egress, EgressRedirect, EgressRequest, EgressResponse } from "./egress.ts";
export type { CodingEngine, EngineHost, EngineTurn } from "./engine.ts";
export type { ErrorCode, ErrorData, ErrorJson } from "./errors.ts";
export { errorFromJson, errorJson, hasCode, TenrecError } from "./errors.ts";
export type {
  AbortEvent,
  ApprovalAnswerEvent,
  ApprovalRequestEvent,
  CompactionEvent,
  DeltaEvent,
  DurableEvent,
  DurableEventBody,
  EffectEvent,
  ErrorEvent,
  EscalationEvent,
  FileChangeEvent,
  InputEvent,
  PreviewEvent,
  RawEvent,
  ReasoningDelta,
  ResetEvent,
  SessionChangeEvent,
  Stamp,
  StepContent,
  StepEndEvent,
  StepStartEvent,
  StreamedDelta,
  TenrecEvent,
  TenrecEventType,
  TextDelta,
  ToolCallEvent,
  ToolInputDelta,
  ToolOutputDelta,
  ToolResultEvent,
  TurnEndEvent,
  TurnStartEvent,
  UndoEvent,
  UsageEvent,
  WorkerUsageEvent,
} from "./events.ts";
export { isDurable, JOURNAL_VERSION } from "./events.ts";
export type { ExecEvent, ExecOptions, Executor } from "./executor.ts";
export type { FileSystem, FileSystemDirent, FileSystemEntryType, FsStat } from "./file-system.ts";
export type {
  GitCommitData,
  GitDiffForm,
  GitDiffSide,
  GitFile,
  GitIdentity,
  GitIgnoreRule,
  GitPathStatus,
  GitRefData,
  GitRemoteBranch,
  GitRepository,
  GitStamp,
  GitStages,
  GitWorkStatus,
} from "./git.ts";
export type { Json } from "./json.ts";
export { MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES, MAX_PROMPT_BYTES, WORKSPACE_ROOT } from "./limits.ts";
export type { Budget, BudgetCaps, Policy, PolicyRule, Spent, SpentByScope, Verdict } from "./policy.ts";
export type {
  LocatedStack,
  Preview,
  PreviewHost,
  PreviewListener,
  PreviewReport,
  PreviewRequest,
  WorkerLoad,
} from "./preview-host.ts";
export type {
  ContentQuery,
  GlobEvent,
  GlobQuery,
  GrepEvent,
  GrepFile,
  GrepLine,
  GrepQuery,
  GrepReport,
  IgnoreSource,
  LeftOut,
  Search,
  SearchScope,
  SearchSummary,
} from "./search.ts";
export type {
  ApprovalAnswer,
  FileDiff,
  OperationStatus,
  PendingApproval,
  Receipt,
  SessionInfo,
  SessionPoint,
  SessionSnapshot,
  SubmitOptions,
  Undone,
  UndoOptions,
  WatchFrame,
} from "./session.ts";
export { toModelText } from "./to-model-text.ts";
export type {
  Gate,
  PermissionClass,
  PermissionRequest,
  ReplayClass,
  ToolMedia,
  ToolOutput,
  ToolTraits,
} from "./tool.ts";
export type { InputPart, TurnEndReason, WhenBusy } from "./turn.ts";
