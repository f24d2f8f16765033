/* Made from agent.schema.json, sha256 d1fad5d7bccb39dbd2d2ec6a660d986beff45982d73b21bfe29a7977f6daf6b5 */

/**
 * What a front end of an agent reads and sends.
 */
export interface Wavegraph {
  /**
   * What resumes it.
   */
  answer: Answer;
  /**
   * A part of the `custom` stream.
   */
  event:
    | PlanCreated
    | WaveStarted
    | ToolStarted
    | ToolProgress
    | ToolFinished
    | ApprovalAsked
    | ApprovalGiven
    | CheckStarted
    | CheckFinished
    | ValidationComplete
    | AdaptationStarted
    | AdaptationComplete
    | AnswerChecked
    | AnswerReplaced
    | LimitReached;
  /**
   * What opens a request.
   */
  input: InputState;
  /**
   * A part of the `values` stream, and what a run returns.
   */
  output: OutputState;
  /**
   * An interrupt's value: what a person is asked.
   */
  question: Question;
}
/**
 * What a person answers: the schema of the interrupt's reply.
 *
 * `approve` holds for the terms that were shown; `edit` changes arguments, and the person is asked again.
 */
export interface Answer {
  args?: {
    [k: string]: unknown;
  };
  changes?: {
    [k: string]: unknown;
  };
  choice?: string;
  decision: "approve" | "reject" | "edit";
  reason?: string;
  terms_hash?: string;
  without?: string[];
  words?: string;
}
export interface PlanCreated {
  action: string;
  event: "plan_created";
  number: number;
  planner: string;
  reasoning: string;
  status: string;
  tools: PlannedTool[];
}
export interface PlannedTool {
  args: {
    [k: string]: unknown;
  };
  id: string;
  tool: string;
}
export interface WaveStarted {
  calls: string[];
  event: "wave_started";
  wave: number;
}
export interface ToolStarted {
  args: {
    [k: string]: unknown;
  };
  event: "tool_started";
  id: string;
  tool: string;
  wave: number;
}
export interface ToolProgress {
  event: "tool_progress";
  progress: {
    [k: string]: unknown;
  };
  tool: string;
}
export interface ToolFinished {
  elapsed_s: number;
  error: string | null;
  event: "tool_finished";
  id: string;
  status: "ok" | "partial" | "error" | "timeout" | "skipped" | "cancelled";
  tool: string;
}
export interface ApprovalAsked {
  event: "approval_asked";
  id: string;
  /**
   * How often this call has been asked about, from 1.
   */
  number: number;
  tool: string;
}
export interface ApprovalGiven {
  /**
   * Identity of who decided, on a server that knows its users.
   */
  by?: string;
  decision: "approve" | "reject" | "edit";
  event: "approval_given";
  id: string;
}
/**
 * Of a check with a name; those of one result run side by side.
 */
export interface CheckStarted {
  check: string;
  event: "check_started";
  /**
   * The call's whose result is checked.
   */
  id: string;
  tool: string;
}
export interface CheckFinished {
  check: string;
  event: "check_finished";
  /**
   * Types of the issues that it found, each once.
   */
  found: string[];
  id: string;
  tool: string;
}
export interface ValidationComplete {
  /**
   * The domain's report on its work so far.
   */
  details?: {
    [k: string]: unknown;
  };
  event: "validation_complete";
  issues: ValidationIssue[];
  needs_adaptation: boolean;
}
/**
 * Something a check found. `rule` and `expected`/`actual` are for machines, `message` for people.
 */
export interface ValidationIssue {
  /**
   * Whom, what, when it is about, in the domain's own words: `{"nurse_id": …, "date": …}`.
   */
  about?: {
    [k: string]: unknown;
  };
  actual?: unknown;
  expected?: unknown;
  message: string;
  rule: string;
  severity: "critical" | "warning";
  tool_id: string;
  /**
   * `error`, `timeout`, `no_availability`, `unexpected_data`, `unchecked` (a check failed), `unsatisfied`,
   * `broken_plan`, or the domain's own.
   */
  type: string;
}
export interface AdaptationStarted {
  event: "adaptation_started";
  reason: string;
  turn: number;
}
export interface AdaptationComplete {
  event: "adaptation_complete";
  success: boolean;
  tools_executed: number;
  turn: number;
}
export interface AnswerChecked {
  attempt: number;
  checked_by: string;
  event: "answer_checked";
  reason: string;
  satisfied: boolean;
  /**
   * None = the answer goes out as it is, satisfied or not.
   */
  sent_back_to: ("plan" | "respond") | null;
}
export interface AnswerReplaced {
  answer: string;
  event: "answer_replaced";
  message_id: string;
}
export interface LimitReached {
  done: number;
  event: "limit_reached";
  left_undone: string[];
  limit: string;
}
/**
 * What a caller gives: messages; the last human one is the request.
 */
export interface InputState {
  /**
   * The conversation; the last human message is the request. `role: user` serves as well as `type: human`
   */
  messages: (HumanMessage | AIMessage)[];
}
/**
 * What a person said.
 */
export interface HumanMessage {
  content:
    | string
    | {
        [k: string]: unknown;
      }[];
  id?: string | null;
  type: "human";
}
/**
 * What the agent answered.
 */
export interface AIMessage {
  content:
    | string
    | {
        [k: string]: unknown;
      }[];
  id?: string | null;
  type: "ai";
}
/**
 * What a caller gets. The untracked fields are views of plan and ledger, so checkpoints skip them.
 */
export interface OutputState {
  action?: string;
  adaptations?: number;
  answer?: string;
  answer_check?: AnswerCheck;
  elapsed_s?: number;
  issues?: ValidationIssue[];
  llm_calls?: number;
  llm_tokens?: {
    [k: string]: number;
  };
  /**
   * The conversation; the answer is the last one.
   */
  messages?: (HumanMessage | AIMessage)[];
  outcome?: ("answered" | "partial" | "clarify" | "refused" | "awaiting_approval" | "cancelled" | "failed") | null;
  /**
   * The last plan.
   */
  plan?: Plan;
  planner?: string;
  reasoning?: string;
  /**
   * Call id to `ToolOutcome`, data in full.
   */
  results?: {
    [k: string]: unknown;
  };
  slots?: {
    [k: string]: unknown;
  };
  tools?: string[];
  tools_executed?: number;
  /**
   * Figures of the answer for which no source was found, as written; missing = none.
   */
  unsupported?: string[];
  usage?: {
    [k: string]: ModelUse;
  };
  waves?: number;
}
export interface AnswerCheck {
  /**
   * `rules`, a model's name, `unavailable` (the judge failed, or one of the rules: those that worked have spoken), or
   * `off`.
   */
  checked_by: string;
  criteria: Criterion[];
  reasoning: string;
  satisfied: boolean;
}
export interface Criterion {
  /**
   * What would mend it, as a judge says: a tool's name, a statement's id, `words`; None = nothing. Absent where a rule
   * failed it.
   */
  by?: string | null;
  /**
   * What is missing; set when the verdict is `fail`.
   */
  gap: string | null;
  /**
   * Of a judge's verdict once for each gap.
   */
  name: string;
  /**
   * Words of the request that nothing answers, where no other words mend it.
   */
  unanswered?: string[];
  verdict: "pass" | "fail";
}
/**
 * A checked `PlanningResult`.
 */
export interface Plan {
  action: string;
  /**
   * Whether it answers issues of an earlier plan.
   */
  adapts: boolean;
  /**
   * Whether the question about its next write is also about those behind it whose arguments are known.
   */
  asks_together?: boolean;
  /**
   * What its reads found, for the person who is asked about its write.
   */
  beside?: string;
  context?: number[];
  noted?: {
    [k: string]: string[];
  };
  number: number;
  /**
   * `rules`, or the name of the planner that made it.
   */
  planner: string;
  reasoning: string;
  remarks?: string[];
  replied?: number[];
  reply: string | null;
  /**
   * What the model that made it reported of its call: `usage_metadata` and `response_metadata` of LangChain's messages; where
   * the thread holds calls too.
   */
  reported?: {
    [k: string]: unknown;
  };
  said?: {
    [k: string]: unknown;
  }[];
  slots: {
    [k: string]: unknown;
  };
  status: "continue" | "done";
  tools: PlannedCall[];
  /**
   * Pieces that neither a call nor a form of the request serves and that are no context either; missing = nobody counts
   * them, or a model still plans.
   */
  unserved?: number[];
}
/**
 * A call that passed the plan check: its literals checked and spelt by the tool's argument model.
 */
export interface PlannedCall {
  args: {
    [k: string]: unknown;
  };
  /**
   * Set where a person may be asked about it first.
   */
  asks?: boolean;
  each?: {
    [k: string]: unknown;
  } | null;
  effect: "read" | "write";
  /**
   * Of one of these calls: the call it was made of; its `each` refers to the element.
   */
  element_of?: string;
  /**
   * Of a call made for each element: its calls' ids, once they are counted. They run; it does not.
   */
  elements?: string[];
  /**
   * Set where arguments hold references or nulls.
   */
  fit?: Fit;
  id: string;
  instead_of?: string | null;
  /**
   * Most runs of it in the request; missing = `ledger.MAX_RUNS`.
   */
  max_runs?: number;
  /**
   * Number of the planning call that asked for it, from 1 in each request.
   */
  plan: number;
  serves?: number[];
  tool: string;
}
/**
 * What the values of a call's references must fit, and what its nulls mean.
 */
export interface Fit {
  /**
   * By argument: the value if a reference leads to nothing.
   */
  defaults: {
    [k: string]: unknown;
  };
  /**
   * Arguments that are null: any other null means that the argument was left out.
   */
  nulls?: string[];
  /**
   * The shapes that fit (`shapes.Shape`), by position of the reference in the arguments: `units`, `lines.0.units`.
   */
  takes: {
    [k: string]: unknown;
  };
}
/**
 * What one model was used for in one role, as far as its provider reports it.
 */
export interface ModelUse {
  cached: number;
  /**
   * Those that failed too.
   */
  calls: number;
  /**
   * Tokens, cached ones included.
   */
  input: number;
  /**
   * Tokens, those of reasoning included.
   */
  output: number;
  reasoning: number;
}
/**
 * What an interrupt shows to the person who is asked.
 */
export interface Question {
  /**
   * One for each of them; a decision on each, in this order, is taken as well as one on the first alone.
   */
  action_requests: ActionRequest[];
  /**
   * Code of the terms of all of them.
   */
  agree_to_all?: string;
  /**
   * The words that agree: `yes`, or with the terms' code, where a yes might be meant for something else, or in a language of
   * whose words for yes none are known.
   */
  agree_with: string;
  /**
   * About the other writes that the same question shows, in order; missing = there are none.
   */
  along?: Question[];
  args: {
    [k: string]: unknown;
  };
  /**
   * Whether the person who made the request answers, in the conversation; else somebody else does.
   */
  by_asker: boolean;
  call: string;
  /**
   * Set if the terms have changed since the last question.
   */
  changed: TermsChange | null;
  /**
   * JSON schema of the changes that a rejection may ask for; None = no changes.
   */
  changes: {
    [k: string]: unknown;
  } | null;
  /**
   * Other ways of agreeing, each in words.
   */
  choices: {
    [k: string]: string;
  };
  kind: "approval";
  /**
   * ISO 639-1 codes of those whose words answer it, that of its text first.
   */
  languages: string[];
  no: string[];
  /**
   * Why the last answer was refused.
   */
  problem: string | null;
  review_configs: ReviewConfig[];
  /**
   * Whether an answer has offered something in its place since the terms were first shown: then a yes names its code, and
   * words that point at something ("book it", "sounds good") are a request.
   */
  rivalled: boolean;
  /**
   * The settings the request was started with, to resume it elsewhere.
   */
  settings: {
    [k: string]: unknown;
  };
  /**
   * Whether the conversation ends with it. If not, the last answer asked something of its own, or who made the request is
   * not asked: then no plain yes is to these terms.
   */
  shown: boolean;
  /**
   * The terms in words, in the request's language.
   */
  summary: string;
  terms: {
    [k: string]: unknown;
  };
  terms_hash: string;
  /**
   * The summary followed by the question itself; of long terms that are asked about again the headline.
   */
  text: string;
  tool: string;
  valid_until: string | null;
  /**
   * Words that mean a plain yes here, besides the usual ones.
   */
  yes: string[];
}
/**
 * The call, as LangChain's human-in-the-loop front ends read it.
 */
export interface ActionRequest {
  args: {
    [k: string]: unknown;
  };
  description: string;
  name: string;
}
/**
 * How the terms have changed since they were last shown, in words.
 */
export interface TermsChange {
  before: string[];
  now: string[];
}
/**
 * What these front ends may answer: `{"decisions": [{"type": "approve"}]}`.
 */
export interface ReviewConfig {
  action_name: string;
  allowed_decisions: ("approve" | "edit" | "reject" | "respond")[];
}
