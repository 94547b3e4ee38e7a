import type { AwkArray } from "./awk-array.ts";
import { childrenOf, withChildren } from "./children.ts";
import type { ExpressionCompiler } from "./compile-expression.ts";
import { type FunctionEntry, requireArray } from "./function-entry.ts";
import { compileSplit, compileSubstitution } from "./compile-pattern-builtin.ts";
import type { Frame, Machine } from "./machine.ts";
import { MainInput } from "./main-input.ts";
import type { RecordReader } from "./record-reader.ts";
import type { InPieces } from "./split-text.ts";
import type { Label, StepWriter } from "./step-writer.ts";
import type { Substitution } from "./substitute.ts";
import type { ArrayPlace, CallNode, GetlineNode, Node } from "./syntax.ts";
import { type Cell, UserText } from "./values.ts";

const WAITING = new Set(["system", "close", "fflush"]);
const SUBSTITUTING = new Set(["sub", "gsub", "gensub"]);
const SPLITTING = new Set(["split", "patsplit"]);
const LONG = new Set([...WAITING, ...SUBSTITUTING, ...SPLITTING]);

/**
 * Writes the parts of an expression that call functions or wait for something as steps of their own, which keep their results
 * in the frame; what is left is computed at once.
 */
export class PartKeeper {
  readonly #machine: Machine;
  readonly #writer: StepWriter;
  readonly #expressions: ExpressionCompiler;
  readonly #functions: ReadonlyMap<string, FunctionEntry>;
  readonly #isStepwise = new Map<Node, boolean>();
  /** Places of the frame so far. */
  size = 0;

  constructor(
    machine: Machine,
    writer: StepWriter,
    expressions: ExpressionCompiler,
    functions: ReadonlyMap<string, FunctionEntry>,
  ) {
    this.#machine = machine;
    this.#writer = writer;
    this.#expressions = expressions;
    this.#functions = functions;
  }

  newPlace(): number {
    return this.size++;
  }

  /** The expression with what was kept in place of such parts. */
  keep(node: Node): Node {
    if (!this.#takesSteps(node)) return node;
    switch (node.kind) {
      case "and":
      case "or":
        return this.#either(node);
      case "choose":
        return this.#choose(node);
      default: {
        const kept = withChildren(node, this.keepAll(childrenOf(node)));
        if (kept.kind === "call") return this.#call(kept);
        if (kept.kind === "getline") return this.#getline(kept);
        if (kept.kind !== "builtin") return kept;
        if (SPLITTING.has(kept.name)) return this.#split(kept.name, kept.args);
        if (WAITING.has(kept.name)) return this.#waiting(kept.name, kept.args);
        return SUBSTITUTING.has(kept.name) ? this.#substitution(kept.name, kept.args) : kept;
      }
    }
  }

  /** The same for expressions that are computed one after another: what is before such a part is kept, too. */
  keepAll(nodes: readonly Node[]): Node[] {
    const last = nodes.findLastIndex((node) => this.#takesSteps(node));
    return nodes.map((node, at) => {
      if (at > last) return node;
      const kept = this.keep(node);
      return at === last ? kept : this.#store(kept);
    });
  }

  #takesSteps(node: Node): boolean {
    const known = this.#isStepwise.get(node);
    if (known !== undefined) return known;
    const isLong = node.kind === "builtin" && LONG.has(node.name);
    const itself = isLong || node.kind === "call" || node.kind === "getline";
    const result = itself || childrenOf(node).some((child) => this.#takesSteps(child));
    this.#isStepwise.set(node, result);
    return result;
  }

  #store(node: Node, place = this.newPlace()): Node {
    if (node.kind === "number" || node.kind === "text" || node.kind === "regex") return node;
    const machine = this.#machine;
    const { value } = this.#expressions.compile(node);
    this.#writer.does(() => void (machine.frame[place] = value()));
    return { kind: "kept", place };
  }

  #either({ kind, left, right }: Extract<Node, { kind: "and" | "or" }>): Node {
    const machine = this.#machine;
    const place = this.newPlace();
    const end: Label = { at: 0 };
    const { truth: first } = this.#expressions.compile(this.keep(left));
    const isEnough = kind === "and" ? 0 : 1;
    this.#writer.does(() => void (machine.frame[place] = first() ? 1 : 0));
    this.#writer.jumpUnless(() => machine.frame[place] !== isEnough, end);
    const { truth: second } = this.#expressions.compile(this.keep(right));
    this.#writer.does(() => void (machine.frame[place] = second() ? 1 : 0));
    this.#writer.place(end);
    return { kind: "kept", place };
  }

  #choose({ test, yes, no }: Extract<Node, { kind: "choose" }>): Node {
    const place = this.newPlace();
    const otherwise: Label = { at: 0 };
    const end: Label = { at: 0 };
    this.#writer.jumpUnless(this.#expressions.compile(this.keep(test)).truth, otherwise);
    this.#into(yes, place);
    this.#writer.jump(end);
    this.#writer.place(otherwise);
    this.#into(no, place);
    this.#writer.place(end);
    return { kind: "kept", place };
  }

  #into(node: Node, place: number): void {
    const machine = this.#machine;
    const { value } = this.#expressions.compile(this.keep(node));
    this.#writer.does(() => void (machine.frame[place] = value()));
  }

  #call({ name, args }: CallNode): Node {
    const machine = this.#machine;
    const { variables } = machine;
    const place = this.newPlace();
    const callee = this.#functions.get(name);
    if (!callee) throw new Error(`no function ${name}`);
    const { parameters } = callee.definition;
    const given = args.map((arg, at) => this.#argument(arg, parameters[at]?.isArray === true));
    const made = parameters.flatMap(({ isArray }, at) => (isArray && at >= args.length ? [at] : []));
    this.#writer.step((at) => () => {
      const frame: Frame = [];
      for (const argument of given) frame.push(argument());
      while (frame.length < callee.size) frame.push(undefined);
      const arrays: AwkArray[] = [];
      for (const parameter of made) {
        const array = variables.makeArray();
        frame[parameter] = array;
        arrays.push(array);
      }
      return machine.call(name, callee.entry.at, frame, arrays, at + 1, place);
    });
    return { kind: "kept", place };
  }

  #argument(arg: Node, isArray: boolean): () => Cell {
    if (!isArray) return this.#expressions.compile(arg).value;
    if (arg.kind === "name" || arg.kind === "index") return this.#expressions.places.array(arg as ArrayPlace);
    const { value } = this.#expressions.compile(arg);
    return () => requireArray(value(), "call");
  }

  #getline(node: GetlineNode): Node {
    const machine = this.#machine;
    const { input, variables, streams } = machine;
    const place = this.newPlace();
    const target = node.target ? this.#expressions.places.compile(node.target) : undefined;
    const take = (record: string): void => {
      machine.hasRead();
      if (target) target.write(new UserText(record));
      else variables.record.text = record;
      machine.frame[place] = 1;
    };
    if (node.from === "input") {
      this.#writer.step((at) => () => {
        const next = input.next();
        if (next === "closed") return machine.waitFor(() => input.open(), at);
        if (!MainInput.isRecordOrEnd(next) || next === "end") machine.frame[place] = 0;
        else take(input.record);
        return machine.goOn(at + 1, 10 + (input.record.length >> 3));
      });
      return { kind: "kept", place };
    }
    const from = node.from;
    const name = this.#store(node.source ?? { kind: "text", value: "" });
    const { text } = this.#expressions.compile(name);
    const read = (reader: RecordReader): void => {
      const record = reader.read(variables.recordSeparator, variables.ignoreCase);
      machine.did(reader.takeWork());
      if (record === undefined) {
        machine.frame[place] = 0;
        return;
      }
      variables.set("RT", reader.terminator);
      machine.did(10 + (record.length >> 3));
      take(record);
    };
    this.#writer.step((at) => () => {
      const open = streams.input(from, text());
      if (open) {
        read(open);
        return machine.goOn(at + 1, 4);
      }
      return machine.waitFor(async () => {
        const opened = from === "file" ? await streams.openFile(text()) : await streams.openCommand(text());
        if (typeof opened !== "string") return read(opened);
        variables.set("ERRNO", opened);
        machine.frame[place] = -1;
      }, at + 1);
    });
    return { kind: "kept", place };
  }

  /** A long text is gone through in more than one step. */
  #substitution(name: string, args: readonly Node[]): Node {
    const machine = this.#machine;
    const place = this.newPlace();
    const under = this.newPlace();
    const { start, finish } = compileSubstitution(name, args, machine, this.#expressions);
    this.#writer.does(() => void (machine.frame[under] = start()));
    this.#writer.step((at) => () => {
      const substitution = machine.frame[under] as Substitution;
      if (!substitution.go()) return machine.goOn(at, 10_000 + substitution.work);
      machine.frame[under] = undefined;
      machine.frame[place] = finish(substitution);
      return machine.goOn(at + 1, 4 + substitution.work);
    });
    return { kind: "kept", place };
  }

  #split(name: string, args: readonly Node[]): Node {
    const machine = this.#machine;
    const place = this.newPlace();
    const under = this.newPlace();
    const start = compileSplit(name, args, machine, this.#expressions);
    this.#writer.does(() => void (machine.frame[under] = start()));
    this.#writer.step((at) => () => {
      const { done, value } = (machine.frame[under] as InPieces<number>).next();
      if (done !== true) return machine.goOn(at, value);
      machine.frame[under] = undefined;
      machine.frame[place] = value;
      return machine.goOn(at + 1, 4);
    });
    return { kind: "kept", place };
  }

  #waiting(name: string, args: readonly Node[]): Node {
    const machine = this.#machine;
    const { streams } = machine;
    const place = this.newPlace();
    const { text } = this.#expressions.compile(this.#store(args[0] ?? { kind: "text", value: "" }));
    const run = async (): Promise<number> => {
      if (name === "system") return streams.system(text());
      if (name === "close") return streams.close(text());
      await streams.flush();
      return 0;
    };
    this.#writer.step(
      (at) => () =>
        machine.waitFor(async () => {
          machine.frame[place] = await run();
        }, at + 1),
    );
    return { kind: "kept", place };
  }
}
